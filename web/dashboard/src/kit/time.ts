import { useSyncExternalStore } from "react";
import { locale, texts } from "./texts";

/** One clock for all relative times of the page. It ticks every half minute while it has listeners. */
function createTicker() {
  const listeners = new Set<() => void>();
  let now = Date.now();
  let timer: ReturnType<typeof setInterval> | undefined;
  return {
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      now = Date.now();
      timer ??= setInterval(() => {
        now = Date.now();
        for (const tell of listeners) tell();
      }, 30_000);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) {
          clearInterval(timer);
          timer = undefined;
        }
      };
    },
    now: () => now,
  };
}
const ticker = createTicker();

/** The time in ms, updated every half minute. */
export function useNow(): number {
  return useSyncExternalStore(ticker.subscribe, ticker.now);
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** "now", "5 min", "3 h", "Tue", "12 Nov", "12 Nov 2025": short enough for a list. */
export function shortAgo(at: number, now: number): string {
  const past = now - at;
  if (past < minute) return texts.time.now;
  if (past < hour) return texts.time.minutes(Math.floor(past / minute));
  if (past < day) return texts.time.hours(Math.floor(past / hour));
  const date = new Date(at);
  if (past < 6 * day) return date.toLocaleDateString(locale, { weekday: "short" });
  return date.toLocaleDateString(locale, { day: "numeric", month: "short", ...(date.getFullYear() !== new Date(now).getFullYear() && { year: "numeric" }) });
}

/** "5 min", "3 h", "4 d" between two times in ms; "" below a minute. */
export function shortSpan(from: number, to: number): string {
  const past = to - from;
  if (past < minute) return "";
  if (past < hour) return texts.time.minutes(Math.floor(past / minute));
  return past < 2 * day ? texts.time.hours(Math.floor(past / hour)) : texts.time.days(Math.floor(past / day));
}

/** "12 November 2026, 14:05", in the reader's zone. */
export function fullTime(at: number | string): string {
  return new Date(at).toLocaleString(locale, { day: "numeric", month: "long", year: "numeric", hour: "2-digit", minute: "2-digit" });
}

/** "12 Nov 2026". */
export function shortDate(at: number | string): string {
  return new Date(at).toLocaleDateString(locale, { day: "numeric", month: "short", year: "numeric" });
}

/** "Fri 20 Nov, 14:05". */
export function dayTime(at: number | string): string {
  return new Date(at).toLocaleString(locale, { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
}

/** "14:05". */
export function clockTime(at: number | string): string {
  return new Date(at).toLocaleTimeString(locale, { hour: "2-digit", minute: "2-digit" });
}

/** texts.time.today, texts.time.yesterday, "Tuesday, 12 November", with the year if it is not the present one. */
export function dayName(at: number | string, now: number): string {
  const date = new Date(at);
  const start = (time: number) => new Date(time).setHours(0, 0, 0, 0);
  const days = Math.round((start(now) - start(date.getTime())) / day);
  if (days === 0) return texts.time.today;
  if (days === 1) return texts.time.yesterday;
  return date.toLocaleDateString(locale, { weekday: "long", day: "numeric", month: "long", ...(date.getFullYear() !== new Date(now).getFullYear() && { year: "numeric" }) });
}

/** "45 s", "12 min", "2 h 5 min", "3 d 4 h". */
export function duration(seconds: number): string {
  if (Math.round(seconds) < 60) return texts.time.seconds(Math.round(seconds));
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return texts.time.minutes(minutes);
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return texts.time.span(texts.time.hours(hours), minutes % 60 > 0 && texts.time.minutes(minutes % 60));
  return texts.time.span(texts.time.days(Math.floor(hours / 24)), hours % 24 > 0 && texts.time.hours(hours % 24));
}
