// Adds answers of the server to the state. Each answer was read at a position
// of the log; a record that is known from a later position stays.
import type { Company, Contact, ListedConversation, Message, Page, Thread, Unread } from "../api/types";
import { filterKey, placed } from "./lists";
import { logAround, noMessages, previewOf, withLater, withOlder, withPage } from "./messages";
import { putCompany, putContact, putConversation } from "./reduce";
import { Draft, type Entry, type Filter, type State, type Unseen } from "./state";

/** Starts to keep a list, so that events count even before its first page arrives. */
export function openList(state: State, filter: Filter): State {
  const key = filterKey(filter);
  if (state.lists.has(key)) return state;
  const draft = new Draft(state);
  draft.map("lists").set(key, { filter, ids: [], loaded: false, more: false, cursor: "" });
  return draft.state;
}

/** Adds a page to its list. A first page replaces the list. */
export function ingestPage(state: State, filter: Filter, page: Page<ListedConversation>, seq: number, first: boolean): State {
  const draft = new Draft(state);
  const key = filterKey(filter);
  for (const { lastMessage, ...conversation } of page.data) {
    putConversation(draft, conversation, seq);
    if (lastMessage !== undefined) draft.put("previews", conversation.id, lastMessage, seq);
  }
  const old = draft.state.lists.get(key);
  let list = { filter, ids: first ? [] : (old?.ids ?? []), loaded: true, more: false, cursor: page.next_cursor };
  // First the page, then the changes from events since it was read. While
  // `more` is false every place counts as loaded, so the end of the page sets
  // the border.
  for (const conversation of page.data) list = placed(draft.state, list, conversation.id, true);
  list = { ...list, more: page.has_more };
  for (const [id, entry] of draft.state.conversations) if (entry.seq > seq) list = placed(draft.state, list, id);
  draft.map("lists").set(key, list);
  return draft.state;
}

/** Starts to keep a conversation's messages, before they are requested. */
export function openMessages(state: State, conversationId: string): State {
  if (state.messages.has(conversationId)) return state;
  const draft = new Draft(state);
  draft.map("messages").set(conversationId, noMessages);
  return draft.state;
}

function newest(messages: readonly Message[]) {
  const last = messages.at(-1);
  return last ? previewOf(last) : null;
}

/** `asked` is the id that was read: if it is another one, that conversation was merged into this one. */
export function ingestThread(state: State, { messages, ...conversation }: Thread, seq: number, first: boolean, asked = conversation.id): State {
  const draft = new Draft(state);
  if (asked !== conversation.id) draft.map("merged").set(asked, conversation.id);
  putConversation(draft, conversation, seq);
  if (!draft.state.conversations.has(conversation.id)) return draft.state; // it left the view meanwhile
  if (first) draft.put("previews", conversation.id, newest(messages.data), seq);
  draft.map("messages").set(conversation.id, withPage(state.messages.get(conversation.id) ?? noMessages, messages, seq, first));
  return draft.state;
}

/** Adds the messages around one: the page that ends with it, newest first, and the page that starts with it. */
export function ingestAround(state: State, conversationId: string, older: Page<Message>, newer: Page<Message>, seq: number): State {
  const draft = new Draft(state);
  draft.map("messages").set(conversationId, logAround(older, newer, seq, state.seq));
  return draft.state;
}

/** Adds a page of messages before or after those of a log around a message. */
export function ingestBeside(state: State, conversationId: string, page: Page<Message>, seq: number, side: "older" | "later"): State {
  const log = state.messages.get(conversationId);
  if (!log?.around) return state;
  const draft = new Draft(state);
  draft.map("messages").set(conversationId, side === "older" ? withOlder(log, page, seq) : withLater(log, page, seq, state.seq));
  return draft.state;
}

/** Sets the unread conversations of the member. Changes from later events stay. */
export function ingestUnread(state: State, unread: Unread, seq: number): State {
  const next = new Map<string, Entry<Unseen>>();
  for (const id of unread.new) next.set(id, { value: "new", seq });
  for (const id of unread.marked) next.set(id, { value: "marked", seq });
  for (const [id, entry] of state.unread) if (entry.seq > seq) next.set(id, entry);
  return { ...state, unread: next };
}

/** Adds a conversation with at most its newest message. */
export function ingestConversation(state: State, { messages, ...conversation }: Thread, seq: number): State {
  const draft = new Draft(state);
  putConversation(draft, conversation, seq);
  draft.put("previews", conversation.id, newest(messages.data), seq);
  return draft.state;
}

/** Adds a contact that was read by this id, which differs from its own if it was merged into another. */
export function ingestContact(state: State, id: string, contact: Contact, seq: number): State {
  const draft = new Draft(state);
  if (contact.id !== id) draft.map("merged").set(id, contact.id);
  putContact(draft, contact, seq);
  return draft.state;
}

export function ingestCompany(state: State, company: Company, seq: number): State {
  const draft = new Draft(state);
  putCompany(draft, company, seq);
  return draft.state;
}
