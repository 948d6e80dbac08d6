// Changes by this member. They show at once; the server's answer, or the event
// that the change causes, has the last word.
import { api } from "../api/client";
import type { Attachment, Conversation, ConversationChange } from "../api/types";
import { seenBy, type Item } from "../outbox/item";
import { contactName } from "../people/names";
import { placeEverywhere } from "./lists";
import { Draft, type State, type Unseen } from "./state";
import type { Store } from "./store";

/** Changes a conversation, and returns it. If the server refuses, it shows the old values again and throws. */
export async function changeConversation(store: Store, id: string, { if: only, ...change }: ConversationChange): Promise<Conversation> {
  return optimistic(store, id, shownChange(store.state.get(), change), () => api.patch<Conversation>(`/v1/public/conversations/${id}`, only ? { ...change, if: only } : change));
}

/** Marks the conversation as read by the member. */
export async function markRead(store: Store, id: string): Promise<void> {
  await reading(store, id, "", () => optimistic(store, id, { unreadCount: 0 }, () => api.post<Conversation>(`/v1/dashboard/conversations/${id}/read`)));
  store.notices.sawConversation(id);
}

/** Marks the conversation as unread for the member. Nothing changes for others. */
export async function markUnread(store: Store, id: string): Promise<void> {
  await reading(store, id, "marked", () => api.post<Conversation>(`/v1/dashboard/conversations/${id}/unread`));
}

async function reading(store: Store, id: string, unread: Unseen, request: () => Promise<unknown>): Promise<void> {
  const before = store.state.get().unread.get(id)?.value ?? "";
  store.reads.set(id, unread);
  try {
    await request();
    // Counts that were read in between may be older than this.
    store.loadCountsSoon();
  } catch (error) {
    store.reads.set(id, before);
    throw error;
  }
}

/** The change as the conversation will show it. */
function shownChange(state: State, { assigneeId, productId, teamId, customAttributes: _, ...plain }: ConversationChange): Partial<Conversation> {
  const shown: Partial<Conversation> = { ...plain };
  if (plain.snoozedUntil) shown.status = "pending";
  else if (plain.snoozedUntil === null && !plain.status) shown.status = "open";
  if (assigneeId !== undefined) {
    const member = assigneeId === null ? null : state.members.get(assigneeId)?.value;
    if (member !== undefined) shown.assignee = member && { id: member.id, name: member.name, image: member.image };
  }
  if (productId !== undefined) {
    const product = productId === null ? null : state.products.get(productId)?.value;
    if (product !== undefined) shown.product = product && { id: product.id, name: product.name };
  }
  if (teamId !== undefined) {
    const team = teamId === null ? null : state.teams.get(teamId)?.value;
    if (team !== undefined) shown.team = team && { id: team.id, name: team.name };
  }
  return shown;
}

async function optimistic(store: Store, id: string, shown: Partial<Conversation>, request: () => Promise<Conversation>): Promise<Conversation> {
  const before = store.state.get().conversations.get(id);
  if (before) replace(store, id, { ...before.value, ...shown }, before.seq);
  try {
    const after = await request();
    if (before && !replace(store, id, after, before.seq)) showLater(store, id, after);
    return after;
  } catch (error) {
    if (before) replace(store, id, before.value, before.seq);
    throw error;
  }
}

/**
 * Shows the answer even if an event came in between that has an earlier change; times of change never go backwards in a
 * workspace.
 */
function showLater(store: Store, id: string, after: Conversation) {
  const now = store.state.get().conversations.get(id);
  if (now && now.value.updatedAt < after.updatedAt) replace(store, id, after, now.seq);
}

/** Replaces the record if it is still the one of `seq`, and returns whether it was. */
function replace(store: Store, id: string, value: Conversation, seq: number): boolean {
  const state = store.state.get();
  if (state.conversations.get(id)?.seq !== seq) return false;
  const draft = new Draft(state);
  draft.map("conversations").set(id, { value, seq });
  placeEverywhere(draft, id);
  store.state.set(draft.state);
  return true;
}

/** The message that a member sends. */
export interface Answer {
  conversationId: string;
  content: string;
  isPrivate: boolean;
  attachments?: readonly Attachment[];
  /** The members whom a note names. */
  mentions?: readonly string[];
  /** The newest message when the draft was started; absent if there was no draft. */
  begun?: string | undefined;
  /** Resolves the conversation once the message is sent. */
  resolve?: boolean;
  /** How long it can be taken back before it is sent, in milliseconds. */
  holdFor?: number;
}

/** Sends a reply or a private note. It shows at once as being sent, and stays in the outbox until the server has it. */
export function sendMessage(store: Store, { conversationId, content, isPrivate, attachments = [], mentions = [], begun, resolve = false, holdFor = 0 }: Answer): Item {
  const state = store.state.get();
  const conversation = state.conversations.get(conversationId)?.value;
  return store.outbox.add({
    conversationId,
    to: conversation ? contactName(conversation.contact) : "",
    content,
    isPrivate,
    attachments,
    mentions,
    seen: seenHere(state, conversationId, begun),
    knewResolved: conversation?.status === "resolved",
    after: resolve ? "resolve" : "",
    holdFor,
  });
}

/** The newest known message of a conversation; "" for none. */
export function newestHere(state: State, conversationId: string): string {
  return seenHere(state, conversationId, undefined);
}

function seenHere(state: State, conversationId: string, begun: string | undefined): string {
  const log = state.messages.get(conversationId);
  // A log of the past lacks the messages since; the server knows them.
  if (begun !== undefined && log?.later) return begun;
  const here = log?.items.map(({ value }) => value) ?? [];
  const newest = state.previews.get(conversationId)?.value?.id ?? "";
  const seen = seenBy(state.meId, here, begun);
  return begun === undefined && newest > seen ? newest : seen;
}
