// Changes by this browser. They show at once; the server's answer, or the
// event that it causes, has the last word.
import { api, errorText } from "../api/client";
import type { Attachment, Conversation, ConversationChange, Message } from "../api/types";
import { placeEverywhere } from "./lists";
import { insertMessage, pendingOf, setPending } from "./messages";
import { Draft, type Pending, type State } from "./state";
import type { Store } from "./store";

/** Changes a conversation. Fails with the server's refusal, and then shows the old values again. */
export async function changeConversation(store: Store, id: string, change: ConversationChange): Promise<void> {
  await optimistic(store, id, shownChange(store.state.get(), change), () => api.patch<Conversation>(`/v1/public/conversations/${id}`, change));
}

/** The member has seen the conversation. */
export async function markRead(store: Store, id: string): Promise<void> {
  await optimistic(store, id, { unreadCount: 0 }, () => api.post<Conversation>(`/v1/dashboard/conversations/${id}/read`));
}

/** The change as the conversation will show it. */
function shownChange(state: State, { assigneeId, productId, customAttributes: _, ...plain }: ConversationChange): Partial<Conversation> {
  const shown: Partial<Conversation> = { ...plain };
  if (assigneeId !== undefined) {
    const member = assigneeId === null ? null : state.members.get(assigneeId)?.value;
    if (member !== undefined) shown.assignee = member && { id: member.id, name: member.name, image: member.image };
  }
  if (productId !== undefined) {
    const product = productId === null ? null : state.products.get(productId)?.value;
    if (product !== undefined) shown.product = product && { id: product.id, name: product.name };
  }
  return shown;
}

async function optimistic(store: Store, id: string, shown: Partial<Conversation>, request: () => Promise<Conversation>): Promise<void> {
  const before = store.state.get().conversations.get(id);
  if (before) replace(store, id, { ...before.value, ...shown }, before.seq);
  try {
    const after = await request();
    if (before && !replace(store, id, after, before.seq)) showLater(store, id, after);
  } catch (error) {
    if (before) replace(store, id, before.value, before.seq);
    throw error;
  }
}

/** Puts the answer where an event came in between and tells of an earlier change; a workspace's times of change never go back. */
function showLater(store: Store, id: string, after: Conversation) {
  const now = store.state.get().conversations.get(id);
  if (now && now.value.updatedAt < after.updatedAt) replace(store, id, after, now.seq);
}

/** Puts the values while the record is still the one of `seq`. Answers whether it was. */
function replace(store: Store, id: string, value: Conversation, seq: number): boolean {
  const state = store.state.get();
  if (state.conversations.get(id)?.seq !== seq) return false;
  const draft = new Draft(state);
  draft.map("conversations").set(id, { value, seq });
  placeEverywhere(draft, id);
  store.state.set(draft.state);
  return true;
}

/** Sends a reply or a private note. It shows at once as on its way; a failure stays with it, to be tried again. */
export async function sendMessage(store: Store, conversationId: string, content: string, isPrivate: boolean, attachments: readonly Attachment[] = []): Promise<void> {
  const pending: Pending = { key: crypto.randomUUID(), content, isPrivate, attachments, createdAt: new Date().toISOString(), fault: "" };
  edit(store, conversationId, (waiting) => [...waiting, pending]);
  await attempt(store, conversationId, pending);
}

/** Tries a failed message again, under its old key: should the first attempt have arrived after all, it is not posted twice. */
export async function retryMessage(store: Store, conversationId: string, key: string): Promise<void> {
  const pending = pendingOf(store.state.get(), conversationId).find((one) => one.key === key);
  if (!pending || pending.fault === "") return;
  edit(store, conversationId, (waiting) => waiting.map((one) => (one.key === key ? { ...one, fault: "" } : one)));
  await attempt(store, conversationId, pending);
}

/** Drops a failed message. */
export function discardMessage(store: Store, conversationId: string, key: string) {
  edit(store, conversationId, (waiting) => waiting.filter((one) => one.key !== key));
}

async function attempt(store: Store, conversationId: string, { key, content, isPrivate, attachments }: Pending): Promise<void> {
  const body = { content, ...(isPrivate && { isPrivate }), ...(attachments.length > 0 && { attachmentIds: attachments.map(({ id }) => id) }) };
  try {
    const message = await api.post<Message>(`/v1/public/conversations/${conversationId}/messages`, body, { idempotencyKey: key });
    const draft = new Draft(store.state.get());
    setPending(
      draft,
      conversationId,
      pendingOf(draft.state, conversationId).filter((one) => one.key !== key),
    );
    // At 0, so that every event about it counts as newer.
    insertMessage(draft, message, 0);
    store.state.set(draft.state);
  } catch (error) {
    edit(store, conversationId, (waiting) => waiting.map((one) => (one.key === key ? { ...one, fault: errorText(error) } : one)));
  }
}

function edit(store: Store, conversationId: string, change: (waiting: readonly Pending[]) => readonly Pending[]) {
  const draft = new Draft(store.state.get());
  setPending(draft, conversationId, change(pendingOf(draft.state, conversationId)));
  store.state.set(draft.state);
}
