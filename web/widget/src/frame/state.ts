// The state that the frame shows, and its pure changes. Messages and
// conversations come from answers and from the stream in any order, so each
// change must be right whichever comes first: messages are joined by id, and
// their status only moves forward.
import type { Tongue } from "./language";
import type { LineState } from "./line";
import type { Attachment, Config, Conversation, Customer, Message, MessageStatus, Page, Sentence } from "./types";

export interface State {
  /**
   * `loading`: nothing may be shown yet. `closed`: the inbox does not exist, or the customer must be identified first.
   */
  phase: "loading" | "ready" | "closed";
  config: Config | null;
  customer: Customer | null;
  open: boolean;
  line: LineState;
  /** Whether `conversations` is known. */
  loaded: boolean;
  /** Most recent activity first. */
  conversations: readonly Conversation[];
  moreConversations: string;
  view: View;
  threads: Readonly<Record<string, Log>>;
  pending: readonly Pending[];
  /** Which member of the team is typing, by conversation. */
  typing: Readonly<Record<string, string>>;
  /** What the automated agent has written so far, by conversation. */
  answers: Readonly<Record<string, Answer>>;
  sound: boolean;
  /** What the chat speaks; null until its words are loaded. */
  tongue: Tongue | null;
}
/**
 * A `thread` with id null is a conversation that starts with the next message. An `article` is read on top of another
 * view; `part` is the id of a heading, or "".
 */
export type View = { name: "home" } | { name: "thread"; id: string | null } | { name: "article"; slug: string; language: string; part: string; from: View };

export interface Log {
  /** Oldest first. */
  messages: readonly Message[];
  loaded: boolean;
  /** The cursor to older messages; "" for none. */
  older: string;
  fault: string;
}
/** The parts of an answer before it is a message, in their order. A lost part hides those after it. */
export interface Answer {
  run: string;
  parts: readonly (string | undefined)[];
}
/** A message of the customer that is being sent, in the order of writing. */
export interface Pending {
  /** Also the Idempotency-Key. */
  key: string;
  conversationId: string | null;
  content: string;
  attachments: readonly Attachment[];
  /** Why it was not sent; "" while it is being tried. */
  fault: string;
  /** The stream delivered it before the answer arrived. */
  arrived?: boolean;
}

export const emptyLog: Log = { messages: [], loaded: false, older: "", fault: "" };

export const firstState: State = {
  phase: "loading",
  config: null,
  customer: null,
  open: false,
  line: "idle",
  loaded: false,
  conversations: [],
  moreConversations: "",
  view: { name: "thread", id: null },
  threads: {},
  pending: [],
  typing: {},
  answers: {},
  sound: false,
  tongue: null,
};

/** The view of somebody who has not chosen any: what is written so far, articles to search, or the first message. */
export function startView({ config, view, pending }: State, draft: string): View {
  if (view.name === "article") return view;
  return config?.articles && draft === "" && pending.length === 0 ? { name: "home" } : firstState.view;
}

const ranks: Record<MessageStatus, number> = { queued: 0, sent: 1, delivered: 2, read: 3, failed: 4 };

/** The messages joined with others, oldest first. */
export function joined(messages: readonly Message[], others: readonly Message[]): readonly Message[] {
  const byId = new Map(messages.map((message) => [message.id, message]));
  for (const other of others) {
    const known = byId.get(other.id);
    byId.set(other.id, known && ranks[known.status] > ranks[other.status] ? { ...other, status: known.status } : other);
  }
  return [...byId.values()].sort((a, b) => (a.createdAt === b.createdAt ? (a.id < b.id ? -1 : 1) : a.createdAt < b.createdAt ? -1 : 1));
}

/** The log with the newest page, or with an older one. */
export function withPage(log: Log, page: Page<Message>, newest: boolean): Log {
  // An older page moves the cursor. The newest page moves it only if nothing
  // was known, or if it does not reach back to the known messages: then there
  // is a gap.
  const gap = newest && log.loaded && !page.data.some((message) => log.messages.some(({ id }) => id === message.id)) && page.data.length > 0;
  const older = newest && log.loaded && !gap ? log.older : page.next_cursor;
  return { messages: joined(gap ? [] : log.messages, page.data), loaded: true, older, fault: "" };
}

/** The state with a message from the stream or an answer. `created` counts it as unread if it is from the team. */
export function withMessage(state: State, message: Message, created: boolean): State {
  const id = message.conversationId;
  const log = state.threads[id];
  const known = log?.messages.some((other) => other.id === message.id) ?? false;
  const threads = log?.loaded ? { ...state.threads, [id]: { ...log, messages: joined(log.messages, [message]) } } : state.threads;
  const conversations = byActivity(
    state.conversations.map((conversation) => {
      if (conversation.id !== id) return conversation;
      const last = conversation.lastMessage;
      const newer = !isNewer(last, message);
      return {
        ...conversation,
        ...(newer && { lastMessage: message }),
        ...(created && newer && { lastActivityAt: message.createdAt }),
        unreadCount: conversation.unreadCount + (created && newer && !known && last?.id !== message.id && message.from === "team" ? 1 : 0),
      };
    }),
  );
  return { ...state, threads, conversations };
}

/**
 * The state with a conversation as the server has it, or had it a moment ago: newer messages that are already here
 * stay.
 */
export function withConversation(state: State, told: Conversation): State {
  const known = state.conversations.find(({ id }) => id === told.id);
  const conversation =
    known && isNewer(known.lastMessage, told.lastMessage)
      ? { ...told, lastMessage: known.lastMessage, lastActivityAt: known.lastActivityAt, unreadCount: told.unreadCount + unreadAfter(state, told) }
      : told;
  return { ...state, conversations: byActivity([conversation, ...state.conversations.filter(({ id }) => id !== told.id)]) };
}

function isNewer(a: Message | null, b: Message | null): boolean {
  return a !== null && (b === null || a.createdAt > b.createdAt || (a.createdAt === b.createdAt && a.id > b.id));
}

function unreadAfter(state: State, { id, lastMessage }: Conversation): number {
  return (state.threads[id]?.messages ?? []).filter((message) => message.from === "team" && message.status !== "read" && isNewer(message, lastMessage)).length;
}

export function byActivity(conversations: readonly Conversation[]): readonly Conversation[] {
  return [...conversations].sort((a, b) => (a.lastActivityAt < b.lastActivityAt ? 1 : a.lastActivityAt > b.lastActivityAt ? -1 : 0));
}

/** The state with another part of an answer. */
export function withSentence(state: State, { conversationId, run, number, text }: Sentence): State {
  const before = state.answers[conversationId];
  const parts = before?.run === run ? [...before.parts] : [];
  parts[number] = text;
  return { ...state, answers: { ...state.answers, [conversationId]: { run, parts } } };
}

/** The state without the unfinished answer of a conversation. */
export function withoutAnswer(state: State, id: string): State {
  if (!state.answers[id]) return state;
  const { [id]: _, ...answers } = state.answers;
  return { ...state, answers };
}

/** The text of an unfinished answer, as far as nothing is missing. */
export function answerOf(state: State, id: string | null): string {
  const parts = (id === null ? undefined : state.answers[id]?.parts) ?? [];
  const missing = Array.from(parts).indexOf(undefined);
  return parts.slice(0, missing < 0 ? undefined : missing).join("");
}

export function unreadOf(state: State): number {
  return state.conversations.reduce((sum, { unreadCount }) => sum + unreadCount, 0);
}

/** The pending messages of the conversation on display. */
export function pendingOf(state: State, id: string | null): readonly Pending[] {
  return state.pending.filter((one) => one.conversationId === id && !one.arrived);
}
