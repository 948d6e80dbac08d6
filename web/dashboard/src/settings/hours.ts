// The office hours of a week, as people write them and as the server stores them.
import { texts } from "./hours.texts";
import { locale } from "../kit/texts";

/** The days of the server, from Monday. */
export const days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const;
export type Day = (typeof days)[number];

/** The name of a day. 5 January 2026 is a Monday. */
export function dayLabel(day: Day): string {
  const name = new Intl.DateTimeFormat(locale, { weekday: "long", timeZone: "UTC" }).format(Date.UTC(2026, 0, 5 + days.indexOf(day)));
  return name.charAt(0).toLocaleUpperCase(locale) + name.slice(1);
}

const mostOfADay = 4;

/** The intervals of a day in a text such as "9–12:30, 13:30–17"; null if it is not understood, or they overlap. */
export function intervalsIn(text: string): string[] | null {
  const parts = text
    .split(/[,;]/)
    .map((part) => part.trim())
    .filter(Boolean);
  let end = -1;
  const all: string[] = [];
  for (const part of parts) {
    const [from, to, ...rest] = part.split(/[-–—]/).map((time) => minuteOf(time.trim()));
    if (from === undefined || to === undefined || rest.length > 0 || from === null || to === null || from < end || to <= from) return null;
    all.push(`${clock(from)}-${clock(to)}`);
    end = to;
  }
  return all.length > mostOfADay ? null : all;
}

/** The minute of the day; null for a text that is no time. */
function minuteOf(text: string): number | null {
  const [, hours, minutes = "0"] = /^(\d{1,2})(?:[:.](\d{2}))?$/.exec(text) ?? [];
  const minute = Number(hours) * 60 + Number(minutes);
  return hours === undefined || Number(minutes) > 59 || minute > 24 * 60 ? null : minute;
}

function clock(minute: number): string {
  const two = (n: number) => String(n).padStart(2, "0");
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
}

export type Week = Record<Day, string>;

/** The texts of the days. */
export function weekOf(hours: readonly string[]): Week {
  const of = (day: Day) =>
    hours
      .filter((line) => line.startsWith(`${day} `))
      .map((line) => line.slice(day.length + 1).replace("-", "–"))
      .join(", ");
  return Object.fromEntries(days.map((day) => [day, of(day)])) as Week;
}

/** The intervals of the API for texts that are all understood. */
export function hoursOf(week: Week): string[] {
  return days.flatMap((day) => (intervalsIn(week[day]) ?? []).map((interval) => `${day} ${interval}`));
}

/** The dates in a text, one per line. */
export function holidaysOf(text: string): string[] {
  return text
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter(Boolean);
}

/** What is wrong with the dates in a text, if anything. */
export function holidaysFault(text: string): string | undefined {
  const wrong = holidaysOf(text).find((line) => !/^\d{4}-\d{2}-\d{2}$/.test(line) || Number.isNaN(Date.parse(line)) || new Date(line).toISOString().slice(0, 10) !== line);
  return wrong && texts.wrongDate(wrong);
}

/** All zones of the browser, with the given one. */
export function zonesWith(zone: string): string[] {
  return [...new Set([zone, "UTC", ...Intl.supportedValuesOf("timeZone")])].sort();
}
