// Combines simultaneous events into one alert: a page that was offline for a
// night receives all of its events within seconds.
import type { Conversation, LogEvent } from "../api/types";
import { callOf, mayCall, summaryOf, type Call } from "./decide";

/** How long it must be quiet before the alert is made, in ms. */
const quiet = 300;
/** How long an alert waits at most, in ms. */
const longest = 3_000;
/** How many events are examined; of more, the newest. */
export const mostEvents = 50;
/** How many conversations are read for one alert, one after another. */
export const mostReads = 10;

interface Options {
  meId: string;
  /** Whether this tab makes the alert of an event. */
  claim: (seq: number) => Promise<boolean>;
  known: (conversationId: string) => Conversation | undefined;
  read: (conversationId: string) => Promise<void>;
  /** Whether somebody is viewing the conversation now. */
  looksAt: (conversationId: string) => boolean;
  make: (call: Call) => void;
}

/** Returns a function to call with each event; it makes one alert for events that belong together. */
export function createCalls(options: Options): (event: LogEvent) => void {
  let events: LogEvent[] = [];
  let since = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = () => {
    timer = undefined;
    const all = events;
    events = [];
    // A conversation that cannot be read alerts nobody; it stays in the list.
    callAll(options, all).catch(() => undefined);
  };
  return (event) => {
    if (mayCall(event, options.meId) === null) return;
    if (timer === undefined) since = Date.now();
    // One more than is examined, to know that there were more.
    events = [...events, event].slice(-mostEvents - 1);
    clearTimeout(timer);
    timer = setTimeout(end, Math.max(0, Math.min(quiet, since + longest - Date.now())));
  };
}

async function callAll(options: Options, all: readonly LogEvent[]) {
  const events = all.slice(-mostEvents);
  await readUnknown(options, events);
  const claimed = await Promise.all(
    events.map(async (event) => {
      const conversation = options.known(event.conversationId ?? "");
      const call = conversation && callOf(event, conversation, options.meId);
      return call && (await options.claim(event.seq)) ? [call] : [];
    }),
  );
  // A member who is viewing the conversation knows already.
  const calls = claimed.flat().filter(({ conversationId }) => !options.looksAt(conversationId));
  const summary = summaryOf(calls, all.length > events.length);
  if (summary) options.make(summary);
}

/** Reads the unknown conversations, newest first, because the assignee decides. */
async function readUnknown({ known, read }: Options, events: readonly LogEvent[]) {
  const ids = new Set(events.map(({ conversationId }) => conversationId ?? "").toReversed());
  const unknown = [...ids].filter((id) => !known(id)).slice(0, mostReads);
  for (const id of unknown) await read(id).catch(() => undefined);
}
