// The parameters of a report. They are part of the address, so that a report
// can be sent to a colleague and the back button works.
import { addDays, isDay, maxDays, spanOf } from "./days";
import { texts } from "./texts";

/** What the rows of a report represent. */
export type Dimension = "day" | "product" | "inbox" | "member" | "company";

/** The dimensions with their names, in the order of the switch. */
export const dimensions: readonly { value: Dimension; label: string }[] = [
  { value: "day", label: texts.query.day },
  { value: "product", label: texts.query.product },
  { value: "inbox", label: texts.query.inbox },
  { value: "member", label: texts.query.member },
  { value: "company", label: texts.query.company },
];

/** Limits a report by day to one product, inbox, member or company. */
export interface Filter {
  dimension: Exclude<Dimension, "day">;
  id: string;
}

/** The parameters of a report; from and to are UTC days, both included. */
export interface ReportQuery {
  from: string;
  to: string;
  by: Dimension;
  filter: Filter | null;
}

const filterNames = ["product", "inbox", "member", "company"] as const;

/** Returns the report over the last days up to today, by day. */
export function lastDays(count: number, today: string): Pick<ReportQuery, "from" | "to"> {
  return { from: addDays(today, 1 - count), to: today };
}

/** Returns the days from Monday to Sunday before the week of a day. */
export function lastWeek(today: string): Pick<ReportQuery, "from" | "to"> {
  const sunday = addDays(today, -(new Date(today).getUTCDay() || 7));
  return { from: addDays(sunday, -6), to: sunday };
}

/**
 * Reads the parameters of a report from the query of an address. Missing or invalid ones get the default: the last 30
 * days, by day. Only a report by day has a filter, so any other `by` drops it.
 */
export function readQuery(search: string, today: string): ReportQuery {
  const params = new URLSearchParams(search);
  const by = dimensions.find((d) => d.value === params.get("by"))?.value ?? "day";
  const from = params.get("from") ?? "";
  const to = params.get("to") ?? "";
  const sound = isDay(from) && isDay(to) && from <= to && spanOf(from, to) <= maxDays;
  const name = filterNames.find((n) => params.get(`${n}Id`));
  return {
    ...(sound ? { from, to } : lastDays(30, today)),
    by,
    filter: by === "day" && name ? { dimension: name, id: params.get(`${name}Id`) ?? "" } : null,
  };
}

/** Writes the parameters of a report as a query, for the page and the API. */
export function writeQuery(query: ReportQuery): string {
  const params = new URLSearchParams({ from: query.from, to: query.to, by: query.by });
  if (query.filter && query.by === "day") params.set(`${query.filter.dimension}Id`, query.filter.id);
  return params.toString();
}

/** Writes the range and the product of a report on the automated agent, likewise. */
export function writeAgentQuery({ from, to, filter }: ReportQuery): string {
  return new URLSearchParams({ from, to, ...(filter?.dimension === "product" && { productId: filter.id }) }).toString();
}

/** Returns what is wrong with a range that someone typed; "" if nothing is. */
export function rangeFault(from: string, to: string): string {
  if (!isDay(from) || !isDay(to)) return texts.query.giveBothDays;
  if (from > to) return texts.query.wrongOrder;
  if (spanOf(from, to) > maxDays) return texts.query.tooLong(maxDays);
  return "";
}
