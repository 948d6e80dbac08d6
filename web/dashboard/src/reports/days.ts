// Calendar days in the format of reports: "YYYY-MM-DD", in UTC. A day is the
// same for every member of a workspace, whatever their time zone.
import { locale } from "../kit/texts";

const dayLength = 24 * 60 * 60 * 1000;

/** The most days that one report may span. */
export const maxDays = 366;

/** Reports whether a text is a day that exists. */
export function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) && dayOf(Date.parse(text)) === text;
}

/** Returns the UTC day of an instant, in milliseconds. */
export function dayOf(instant: number): string {
  return new Date(instant).toISOString().slice(0, 10);
}

/** Returns the day that is count days after (negative: before) a day. */
export function addDays(day: string, count: number): string {
  return dayOf(Date.parse(day) + count * dayLength);
}

/** Returns the number of days in a range, both ends included. */
export function spanOf(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / dayLength) + 1;
}

/** Lists the days from one to another, both included. */
export function daysBetween(from: string, to: string): string[] {
  const count = Math.max(0, spanOf(from, to));
  return Array.from({ length: count }, (_, i) => addDays(from, i));
}

/** Formats a day for people: "12 Nov", or "Thu, 12 Nov 2026" in full. */
export function dayText(day: string, form: "short" | "full"): string {
  const options: Intl.DateTimeFormatOptions = form === "short" ? { day: "numeric", month: "short" } : { weekday: "short", day: "numeric", month: "short", year: "numeric" };
  return new Intl.DateTimeFormat(locale, { ...options, timeZone: "UTC" }).format(Date.parse(day));
}
