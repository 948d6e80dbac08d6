import { fullTime, shortAgo, useNow } from "./time";

/** A time as "5 min", updated, with the full time on hover. */
export function RelativeTime({ at, suffix }: { at: string; suffix?: string }) {
  const now = useNow();
  const text = shortAgo(Date.parse(at), now);
  return (
    <time dateTime={at} title={fullTime(at)}>
      {text}
      {suffix && /\d (min|h)$/.test(text) ? ` ${suffix}` : ""}
    </time>
  );
}
