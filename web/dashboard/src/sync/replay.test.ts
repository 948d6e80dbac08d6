// Compares the reducer with the server: a dashboard that was loaded while
// others wrote, updated by the log, shows the same as a fresh one. The
// recording is written and checked against the documents by
// internal/dashboard/recording_test.go.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Article, ArticleCategory, HelpCenter } from "../api/knowledge";
import type { Company, Contact, Conversation, LogEvent, Page, Thread, WorkspaceState } from "../api/types";
import { ingestCompany, ingestContact, ingestPage, ingestThread, openList, openMessages } from "./ingest";
import { ingestArticles, ingestCategories, ingestCenters, openKnowledge } from "./knowledge";
import { reduce } from "./reduce";
import { initialState, parsePosition, type CheckedEvent, type Entry, type State } from "./state";

interface Exchange {
  path: string;
  position: string;
  body: unknown;
}
interface Recording {
  first: Exchange[];
  log: Exchange[];
  last: Exchange[];
}

const file = join(import.meta.dirname, "../../../../internal/dashboard/testdata/recording.json");
const recording = JSON.parse(readFileSync(file, "utf8")) as Recording;

const all = { spam: "any" };

/** Adds an answer to the state, like the store does. */
function ingest(state: State, { path, position, body }: Exchange): State {
  if (body === null) return state; // deleted meanwhile
  const seq = parsePosition(position)?.seq ?? 0;
  const { pathname, searchParams } = new URL(path, "http://parley.example");
  const [noun, id] = pathname.split("/").slice(3);
  if (noun === "contacts") return (body as Page<Contact>).data.reduce((now, contact) => ingestContact(now, contact.id, contact, seq), state);
  if (noun === "companies") return (body as Page<Company>).data.reduce((now, company) => ingestCompany(now, company, seq), state);
  if (noun === "articles") return ingestArticles(openKnowledge(state), (body as Page<Article>).data, seq);
  if (noun === "article-categories") return ingestCategories(openKnowledge(state), (body as Page<ArticleCategory>).data, seq);
  if (noun === "help-centers") return ingestCenters(openKnowledge(state), (body as Page<HelpCenter>).data, seq);
  if (noun === "events") return reduce(state, (body as Page<CheckedEvent>).data);
  if (noun !== "conversations" || pathname.endsWith("/scheduled")) return state; // duplicates and scheduled messages are not part of the state
  if (id === undefined) return ingestPage(openList(state, all), all, body as Page<Conversation>, seq, !searchParams.get("cursor"));
  return ingestThread(openMessages(state, id), body as Thread, seq, !searchParams.get("messages_cursor"));
}

function loaded([start, ...others]: Exchange[]): State {
  return others.reduce(ingest, initialState(start?.body as WorkspaceState));
}

const values = <T>(table: ReadonlyMap<string, Entry<T>>) => Object.fromEntries([...table].map(([id, { value }]) => [id, value]));

const fresh = loaded(recording.last);
const before = loaded(recording.first);

/**
 * The displayed part of the state, without positions. Of messages, those of the conversations that were open before.
 */
function shown(state: State) {
  const {
    workspace,
    members,
    formerMembers,
    inboxes,
    products,
    labels,
    cannedAnswers,
    numbers,
    teams,
    articles,
    articleCategories,
    helpCenters,
    contacts,
    companies,
    conversations,
    messages,
    previews,
    lists,
  } = state;
  const tables = { members, formerMembers, inboxes, products, labels, cannedAnswers, numbers, teams, articles, articleCategories, helpCenters, contacts, companies };
  return {
    workspace,
    ...Object.fromEntries(Object.entries(tables).map(([name, table]) => [name, values<unknown>(table)])),
    // No event says when a conversation changed with a message that changes by itself.
    conversations: values(new Map([...conversations].map(([id, { value, seq }]) => [id, { value: { ...value, updatedAt: "" }, seq }]))),
    // Names and pictures of senders are taken from members and contacts.
    messages: Object.fromEntries([...messages].filter(([id]) => before.messages.has(id)).map(([id, log]) => [id, log.items.map(({ value: { sender: _, ...message } }) => message)])),
    previews: values(previews),
    lists: Object.fromEntries([...lists].map(([key, list]) => [key, list.ids])),
  };
}

test("a loaded state and the log give what a fresh load shows", () => {
  expect(shown(recording.log.reduce(ingest, before))).toEqual(shown(fresh));
});

test("also if the log comes event by event, and twice", () => {
  const events = recording.log.flatMap(({ path, body }) => (path.includes("/events") ? (body as Page<LogEvent>).data : []));
  const reads = recording.log.filter(({ path }) => !path.includes("/events"));
  const start = reads.reduce(ingest, before);
  const after = events.reduce((state, event) => reduce(state, [event, event]), start);
  expect(shown(reduce(after, events))).toEqual(shown(fresh));
});

test("not without the log, so the recording proves something", () => {
  expect(shown(before)).not.toEqual(shown(fresh));
});
