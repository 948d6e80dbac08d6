// The rows of a report, prepared for display.
import type { Report, ReportRow } from "../api/types";
import { duration } from "../kit";
import { daysBetween, dayText } from "./days";
import { texts } from "./texts";
import { locale } from "../kit/texts";

const nothing = { count: 0, medianSeconds: null, p90Seconds: null };

/** Returns a row for each day of the report; days without a row are zero. */
export function dayRows(report: Report): ReportRow[] {
  const known = new Map(report.rows.map((row) => [row.key, row]));
  return daysBetween(report.from, report.to).map((day) => known.get(day) ?? { key: day, label: day, opened: 0, resolved: 0, firstResponse: nothing, resolution: nothing });
}

/** Returns the rows of a report in the order of the table: days newest first, items with most conversations first. */
export function tableRows(report: Report): ReportRow[] {
  if (report.by === "day") return dayRows(report).reverse();
  return [...report.rows].sort((a, b) => b.opened - a.opened || b.resolved - a.resolved || a.label.localeCompare(b.label, locale));
}

/** Returns the name of a row; rows without a product, a company or a member have a text that says so. */
export function rowName(report: Report, row: ReportRow): string {
  if (report.by === "day") return dayText(row.key, "full");
  if (row.label !== "") return row.label;
  if (row.key !== "") return texts.rows.deleted;
  return { product: texts.rows.noProduct, inbox: texts.rows.noInbox, member: texts.rows.noMember, company: texts.rows.noCompany }[report.by];
}

/** Reports whether nothing happened in the period of a report. */
export function isEmpty(report: Report): boolean {
  const { opened, resolved, firstResponse, resolution } = report.total;
  return opened + resolved + firstResponse.count + resolution.count === 0;
}

/** Formats a number of seconds as "2 h 5 min"; "–" for no measurement. */
export function durationText(seconds: number | null): string {
  return seconds === null ? "–" : duration(seconds);
}
