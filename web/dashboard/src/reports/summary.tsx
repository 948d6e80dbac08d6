// The four numbers of a report that say most.
import type { Distribution, ReportRow } from "../api/types";
import { durationText } from "./rows";
import css from "./reports.module.css";

/** Shows the totals of a report. */
export function Summary({ total }: { total: ReportRow }) {
  return (
    <dl className={css.tiles}>
      <Tile name="Opened" value={total.opened.toLocaleString("en-GB")} note="conversations that began" />
      <Tile name="Resolved" value={total.resolved.toLocaleString("en-GB")} note={resolvedShare(total)} />
      <Tile name="First response" value={durationText(total.firstResponse.medianSeconds)} note={ninth(total.firstResponse)} />
      <Tile name="Resolution" value={durationText(total.resolution.medianSeconds)} note={ninth(total.resolution)} />
    </dl>
  );
}

function Tile({ name, value, note }: { name: string; value: string; note: string }) {
  return (
    <div className={css.tile}>
      <dt>{name}</dt>
      <dd className={css.value}>{value}</dd>
      <dd className={css.note}>{note}</dd>
    </div>
  );
}

function resolvedShare({ opened, resolved }: ReportRow): string {
  if (opened === 0) return "conversations that were settled";
  return `${Math.round((100 * resolved) / opened)} for every 100 opened`;
}

function ninth(distribution: Distribution): string {
  if (distribution.count === 0) return "nothing measured yet";
  return `median · 90 % within ${durationText(distribution.p90Seconds)}`;
}
