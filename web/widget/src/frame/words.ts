// Times, sizes and names as customers read them, in the language of the chat.
import { phrase, spoken } from "./language";

export function clock(at: string): string {
  return new Intl.DateTimeFormat(spoken().locale, { hour: "numeric", minute: "2-digit" }).format(new Date(at));
}

/** Today, yesterday, or the date. */
export function day(at: string, now = new Date()): string {
  const date = new Date(at);
  const days = Math.round((midnight(now) - midnight(date)) / 86_400_000);
  if (days < 2) {
    const text = new Intl.RelativeTimeFormat(spoken().locale, { numeric: "auto" }).format(-Math.max(0, days), "day");
    return text.charAt(0).toLocaleUpperCase(spoken().locale) + text.slice(1);
  }
  return new Intl.DateTimeFormat(spoken().locale, { day: "numeric", month: "long", ...(date.getFullYear() !== now.getFullYear() && { year: "numeric" }) }).format(date);
}

export function midnight(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}

/** "now", "5 min", "3 h", or the date. */
export function ago(at: string, now = Date.now()): string {
  const minutes = Math.floor((now - Date.parse(at)) / 60_000);
  if (minutes < 1) return phrase("time.now");
  if (minutes < 60) return phrase("time.minutes", { n: minutes });
  if (minutes < 24 * 60) return phrase("time.hours", { n: Math.floor(minutes / 60) });
  return new Intl.DateTimeFormat(spoken().locale, { day: "numeric", month: "short" }).format(new Date(at));
}
