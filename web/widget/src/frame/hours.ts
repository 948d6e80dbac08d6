// When somebody is back, in the zone and the clock of the visitor.
import { useEffect, useState } from "preact/hooks";
import { clock, midnight } from "./words";
import type { Config } from "./types";
import { phrase, spoken } from "./language";

// Whole phrases, because many languages inflect the weekday.
const weekdays = ["hours.sunday", "hours.monday", "hours.tuesday", "hours.wednesday", "hours.thursday", "hours.friday", "hours.saturday"] as const;

type Hours = Pick<Config, "replyTime" | "upcoming">;

/** How soon an answer comes: the reply time, or outside the office hours when somebody is back. */
export function replyLine({ replyTime, upcoming }: Hours, now = new Date()): string {
  const next = upcoming?.find(({ end }) => Date.parse(end) > now.getTime());
  if (!next || Date.parse(next.begin) <= now.getTime()) return replyTime;
  const begin = new Date(next.begin);
  const days = Math.round((midnight(begin) - midnight(now)) / 86_400_000);
  const time = clock(next.begin);
  if (days === 0) return phrase("hours.today", { time });
  if (days === 1) return phrase("hours.tomorrow", { time });
  const weekday = days < 7 ? weekdays[begin.getDay()] : undefined;
  if (weekday) return phrase(weekday, { time });
  const date = new Intl.DateTimeFormat(spoken().locale, { day: "numeric", month: "long" }).format(begin);
  return phrase("hours.date", { date, time });
}

/** The longest that a timer of a browser waits, in ms. */
const longestWait = 0x7fffffff;

/** replyLine, which changes when the hours begin and end, and at midnight. */
export function useReplyLine(config: Hours): string {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    if (!config.upcoming) return;
    const tomorrow = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1).getTime();
    const edges = config.upcoming.flatMap(({ begin, end }) => [Date.parse(begin), Date.parse(end)]).filter((edge) => edge > now.getTime());
    const timer = setTimeout(() => setNow(new Date()), Math.min(longestWait, Math.max(1, Math.min(tomorrow, ...edges) - Date.now())));
    return () => clearTimeout(timer);
  }, [config.upcoming, now]);
  return replyLine(config, now);
}
