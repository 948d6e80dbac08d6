// What happens at once is one call: a page that was away for a night is told
// all of it within seconds.
import type { Conversation, LogEvent } from "../api/types";
import { callOf, mayCall, summaryOf, type Call } from "./decide";

/** So long nothing more may happen until the call is made, in ms. */
const quiet = 300;
/** So long a call waits at most, in ms. */
const longest = 3_000;
/** So many events are looked at; of more, the newest. */
export const mostEvents = 50;
/** So many conversations are read for one call, one after another. */
export const mostReads = 10;

interface Options {
  meId: string;
  /** Whether this tab makes the call of an event. */
  claim: (seq: number) => Promise<boolean>;
  known: (conversationId: string) => Conversation | undefined;
  read: (conversationId: string) => Promise<void>;
  /** Whether somebody looks at the conversation now. */
  looksAt: (conversationId: string) => boolean;
  make: (call: Call) => void;
}

/** Takes events, and makes one call for those that belong together. The answer is to be called with each event. */
export function createCalls(options: Options): (event: LogEvent) => void {
  let events: LogEvent[] = [];
  let since = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = () => {
    timer = undefined;
    const all = events;
    events = [];
    // What cannot be read calls nobody; it stays in the list.
    callAll(options, all).catch(() => undefined);
  };
  return (event) => {
    if (mayCall(event, options.meId) === null) return;
    if (timer === undefined) since = Date.now();
    // One more than is looked at tells that there were more.
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
  // Whoever looks at it knows.
  const calls = claimed.flat().filter(({ conversationId }) => !options.looksAt(conversationId));
  const summary = summaryOf(calls, all.length > events.length);
  if (summary) options.make(summary);
}

/** Reads the conversations that are not here, the newest first: whose they are decides. */
async function readUnknown({ known, read }: Options, events: readonly LogEvent[]) {
  const ids = new Set(events.map(({ conversationId }) => conversationId ?? "").toReversed());
  const unknown = [...ids].filter((id) => !known(id)).slice(0, mostReads);
  for (const id of unknown) await read(id).catch(() => undefined);
}
