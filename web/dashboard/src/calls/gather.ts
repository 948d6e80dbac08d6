// Combines simultaneous events and notices into one alert: a page that was offline
// for a night receives all of them within seconds.
import type { Conversation, LogEvent, Notice } from "../api/types";
import { callOf, callOfNotice, mayCall, summaryOf, type Call } from "./decide";
import type { CallKind } from "./wanted";

/** How long it must be quiet before the alert is made, in ms. */
const quiet = 300;
/** How long an alert waits at most, in ms. */
const longest = 3_000;
/** How many events and notices are examined; of more, the newest. */
export const mostEvents = 50;
/** How many conversations are read for one alert, one after another. */
export const mostReads = 10;

/** What may alert the member. */
export type News = LogEvent | Notice;

const isNotice = (news: News): news is Notice => "kind" in news;

interface Options {
  /** Whether this tab makes the alert of that name. */
  claim: (name: string) => Promise<boolean>;
  known: (conversationId: string) => Conversation | undefined;
  read: (conversationId: string) => Promise<void>;
  follows: (conversationId: string) => boolean;
  /** Whether the member wants alerts of a kind now. */
  wants: (kind: CallKind) => Promise<boolean>;
  /** Whether somebody is viewing the conversation now. */
  looksAt: (conversationId: string) => boolean;
  make: (call: Call) => void;
}

/** Returns a function to call with each event and notice; it makes one alert for those that belong together. */
export function createCalls(options: Options): (news: News) => void {
  let waiting: News[] = [];
  let since = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = () => {
    timer = undefined;
    const all = waiting;
    waiting = [];
    // A conversation that cannot be read alerts nobody; it stays in the list.
    callAll(options, all).catch(() => undefined);
  };
  return (news) => {
    if (!isNotice(news) && mayCall(news) === null) return;
    if (timer === undefined) since = Date.now();
    // One more than is examined, to know that there were more.
    waiting = [...waiting, news].slice(-mostEvents - 1);
    clearTimeout(timer);
    timer = setTimeout(end, Math.max(0, Math.min(quiet, since + longest - Date.now())));
  };
}

async function callAll(options: Options, all: readonly News[]) {
  const some = all.slice(-mostEvents);
  await readUnknown(
    options,
    some.flatMap((news) => (isNotice(news) ? [] : (news.conversationId ?? []))),
  );
  const claimed = await Promise.all(
    some.map(async (news) => {
      const call = isNotice(news) ? callOfNotice(news) : callOfEvent(options, news);
      const wanted = call !== null && (await options.wants(isNotice(news) ? news.kind : "unassigned"));
      return wanted && (await options.claim(nameOf(news))) ? [call] : [];
    }),
  );
  // A member who is viewing the conversation knows already.
  const calls = claimed.flat().filter(({ conversationId }) => !options.looksAt(conversationId));
  const summary = summaryOf(calls, all.length > some.length);
  if (summary) options.make(summary);
}

/** A notice that happens again is another alert. */
const nameOf = (news: News) => (isNotice(news) ? `${news.id} ${news.updatedAt}` : String(news.seq));

function callOfEvent({ known, follows }: Options, event: LogEvent): Call | null {
  const conversation = known(event.conversationId ?? "");
  return conversation ? callOf(event, conversation, follows(conversation.id)) : null;
}

/** Reads the unknown conversations, newest first, because the assignee decides. */
async function readUnknown({ known, read }: Options, ids: readonly string[]) {
  const unknown = [...new Set(ids.toReversed())].filter((id) => !known(id)).slice(0, mostReads);
  for (const id of unknown) await read(id).catch(() => undefined);
}
