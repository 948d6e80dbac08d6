// The four most important numbers of a report.
import type { Distribution, ReportRow } from "../api/types";
import { durationText } from "./rows";
import css from "./reports.module.css";
import { texts } from "./texts";
import { locale } from "../kit/texts";

/** Shows the totals of a report. */
export function Summary({ total }: { total: ReportRow }) {
  return (
    <dl className={css.tiles}>
      <Tile name={texts.summary.opened} value={total.opened.toLocaleString(locale)} note={texts.summary.openedHint} />
      <Tile name={texts.summary.resolved} value={total.resolved.toLocaleString(locale)} note={resolvedShare(total)} />
      <Tile name={texts.summary.firstResponse} value={durationText(total.firstResponse.medianSeconds)} note={ninth(total.firstResponse)} />
      <Tile name={texts.summary.resolution} value={durationText(total.resolution.medianSeconds)} note={ninth(total.resolution)} />
    </dl>
  );
}

export function Tile({ name, value, note }: { name: string; value: string; note: string }) {
  return (
    <div className={css.tile}>
      <dt>{name}</dt>
      <dd className={css.value}>{value}</dd>
      <dd className={css.note}>{note}</dd>
    </div>
  );
}

function resolvedShare({ opened, resolved }: ReportRow): string {
  if (opened === 0) return texts.summary.resolvedHint;
  return texts.summary.forEvery100Opened(Math.round((100 * resolved) / opened));
}

function ninth(distribution: Distribution): string {
  if (distribution.count === 0) return texts.summary.nothingMeasured;
  return texts.summary.median90Within(durationText(distribution.p90Seconds));
}
