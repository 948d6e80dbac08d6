// Times as people say them: presets, and what they type in English or German, on the clocks of this browser. A time of
// day is the first moment at which the clocks show it or a later one.

/** How far ahead a time may be, in ms, as on the server. */
const farthest = 400 * 24 * 3_600_000;
const morning = 9 * 60;

export type PresetName = "later" | "tomorrow" | "monday" | "week";

export interface Preset {
  name: PresetName;
  at: number;
}

/** The times that are offered: later today, tomorrow morning, on Monday and in a week. */
export function presets(now: number): Preset[] {
  const later = Math.ceil((now + 3 * 3_600_000) / 1_800_000) * 1_800_000;
  const today = new Date(now);
  const toMonday = (8 - today.getDay()) % 7 || 7;
  return [
    ...(new Date(later).getDate() === today.getDate() ? [{ name: "later" as const, at: later }] : []),
    { name: "tomorrow", at: moment(today, 1, morning) },
    ...(toMonday > 1 ? [{ name: "monday" as const, at: moment(today, toMonday, morning) }] : []),
    ...(toMonday === 7 ? [] : [{ name: "week" as const, at: moment(today, 7, morning) }]),
  ];
}

/** When the clocks first show a minute of the day, some days after another day, or a later one. */
function moment(from: Date, days: number, minute: number): number {
  const [year, month, day] = [from.getFullYear(), from.getMonth(), from.getDate() + days];
  let at = new Date(year, month, day, 0, minute).getTime();
  const wanted = new Date(Date.UTC(year, month, day, 0, minute)).getTime();
  const shown = (time: number) => time - new Date(time).getTimezoneOffset() * 60_000;
  // Skipped by the clocks: back to the moment at which they did.
  while (shown(at) > wanted && shown(at - 60_000) > wanted) at -= 60_000;
  return at;
}

const units: Record<string, number> = { min: 1, mins: 1, minute: 1, minutes: 1, minuten: 1, m: 1, h: 60, hour: 60, hours: 60, std: 60, stunde: 60, stunden: 60 };
const days: Record<string, number> = { d: 1, day: 1, days: 1, tag: 1, tage: 1, tagen: 1, w: 7, week: 7, weeks: 7, woche: 7, wochen: 7 };
const words: Record<string, number> = { today: 0, heute: 0, tomorrow: 1, tom: 1, tmr: 1, morgen: 1, übermorgen: 2, uebermorgen: 2 };
/** Names of the days from Sunday on; any beginning of two letters or more is enough. */
const weekdays = [
  ["sunday", "sonntag"],
  ["monday", "montag"],
  ["tuesday", "dienstag"],
  ["wednesday", "mittwoch"],
  ["thursday", "donnerstag"],
  ["friday", "freitag"],
  ["saturday", "samstag"],
];
const months = [["jan"], ["feb"], ["mar", "mär"], ["apr"], ["may", "mai"], ["jun"], ["jul"], ["aug"], ["sep"], ["oct", "okt"], ["nov"], ["dec", "dez"]];

/** The time that a text names, such as "tomorrow 9", "mo 14:30", "3d", "in 2 h" or "24.12."; null if it names none that is to come. */
export function parseWhen(text: string, now: number): number | null {
  if (text.length > 60) return null;
  const said = text.toLowerCase().trim().replace(/\s+/g, " ");
  const span = /^(?:in )?(\d{1,4}) ?([a-z]+)$/.exec(said);
  const unit = span && units[span[2] ?? ""];
  if (span && unit !== undefined && unit !== null) return ahead(now + Number(span[1]) * unit * 60_000, now);
  const today = new Date(now);
  const minute = minuteOf(said);
  if (minute !== null) {
    const at = moment(today, 0, minute);
    return ahead(at > now ? at : moment(today, 1, minute), now);
  }
  // The day first, then perhaps a time of day.
  for (let end = said.length; end > 0; end = said.lastIndexOf(" ", end - 1)) {
    const rest = said
      .slice(end)
      .trim()
      .replace(/^(at|um) /, "");
    const time = rest === "" ? morning : minuteOf(rest);
    const at = time === null ? null : dayOf(said.slice(0, end).replace(/,$/, ""), today, time, now);
    if (at !== null) return ahead(at, now);
  }
  return null;
}

const ahead = (at: number, now: number) => (at > now && at <= now + farthest ? at : null);

/** The minute of the day: "9", "14:30", "14.30", "1430", "9 am", "9 uhr". */
function minuteOf(text: string): number | null {
  const found = /^(\d{1,2})(?:[:.]?(\d\d))? ?(am|pm|uhr|h)?$/.exec(text);
  if (!found) return null;
  let hour = Number(found[1]);
  const minute = Number(found[2] ?? 0);
  if (found[3] === "am" || found[3] === "pm") {
    if (hour < 1 || hour > 12) return null;
    hour = (hour % 12) + (found[3] === "pm" ? 12 : 0);
  }
  return hour < 24 && minute < 60 ? hour * 60 + minute : null;
}

/** A time of a day that a text names. */
function dayOf(text: string, today: Date, minute: number, now: number): number | null {
  const name = text.replace(/^(on|next|am|nächsten|nächste|nächster) /, "");
  const word = words[name];
  if (word !== undefined) return moment(today, word, minute);
  if (text === "next week" || text === "nächste woche") return moment(today, (8 - today.getDay()) % 7 || 7, minute);
  const span = /^(?:in )?(\d{1,3}) ?([a-z]+)$/.exec(text);
  const length = span && days[span[2] ?? ""];
  if (span && length !== undefined && length !== null) return moment(today, Number(span[1]) * length, minute);
  const weekday = name.length < 2 ? -1 : weekdays.findIndex((names) => names.some((full) => full.startsWith(name)));
  if (weekday >= 0) {
    const to = (weekday - today.getDay() + 7) % 7;
    const at = moment(today, to, minute);
    return at > now ? at : moment(today, to + 7, minute);
  }
  return dateOf(name, today, minute, now);
}

/** "24.12.", "24.12.2026", "2026-12-24", "24 Dec", "Dec 24"; without a year, the next such day. */
function dateOf(text: string, today: Date, minute: number, now: number): number | null {
  const dotted = /^(\d{1,2})\.(\d{1,2})\.?(\d{4})?$/.exec(text);
  const iso = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  const named = /^(\d{1,2})\.? ?([a-zä]{3,9})$/.exec(text) ?? swapped(/^([a-zä]{3,9}) (\d{1,2})$/.exec(text));
  let [day, month, year] = [0, -1, 0];
  if (iso) [year, month, day] = [Number(iso[1]), Number(iso[2]) - 1, Number(iso[3])];
  else if (dotted) [day, month, year] = [Number(dotted[1]), Number(dotted[2]) - 1, Number(dotted[3] ?? 0)];
  else if (named) [day, month] = [Number(named[1]), months.findIndex((names) => names.some((short) => (named[2] ?? "").startsWith(short)))];
  for (const of of year ? [year] : [today.getFullYear(), today.getFullYear() + 1]) {
    const date = new Date(of, month, day);
    if (date.getMonth() !== month || date.getDate() !== day) return null;
    const at = moment(date, 0, minute);
    if (at > now || year) return at;
  }
  return null;
}

const swapped = (found: RegExpExecArray | null) => found && [found[0], found[2], found[1]];
