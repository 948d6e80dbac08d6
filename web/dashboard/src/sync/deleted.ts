// What the events of a deletion, or of a split, remove from the state.
import type { EventOf } from "../api/types";
import type { Draft, MessageLog } from "./state";

/** Removes a conversation from everything that shows it. */
export function dropConversation(draft: Draft, id: string) {
  draft.bury(id);
  leave(draft, id);
}

/** Removes a conversation that the member no longer sees. It may come back with a later event. */
export function hideConversation(draft: Draft, id: string, seq: number) {
  draft.hide(id, seq);
  leave(draft, id);
}

function leave(draft: Draft, id: string) {
  for (const name of ["conversations", "previews", "unread", "messages"] as const) if (draft.state[name].has(id)) draft.map(name).delete(id);
  for (const [key, list] of draft.state.lists) {
    if (list.ids.includes(id)) draft.map("lists").set(key, { ...list, ids: list.ids.filter((other) => other !== id) });
  }
}

/** Removes a contact from the state. Its conversations have events of their own. */
export function dropContact(draft: Draft, id: string) {
  draft.bury(id);
  if (draft.state.contacts.has(id)) draft.map("contacts").delete(id);
}

/** Removes a message from its conversation. If it was the newest one, the conversation's row is loaded again. */
export function dropMessage(draft: Draft, conversationId: string, id: string) {
  const log = draft.state.messages.get(conversationId);
  if (log?.items.some((entry) => entry.value.id === id)) draft.map("messages").set(conversationId, withoutMessage(log, id));
  if (draft.state.previews.get(conversationId)?.value?.id === id) {
    draft.map("previews").delete(conversationId);
    draft.want(conversationId);
  }
}

function withoutMessage(log: MessageLog, id: string): MessageLog {
  return { ...log, items: log.items.filter((entry) => entry.value.id !== id) };
}

/** The messages from one on are in a new conversation. Both rows are loaded, with what their members have not read. */
export function splitOff(draft: Draft, { data, seq }: EventOf<"conversation.split">) {
  const { id, fromId, messageId } = data;
  const log = draft.state.messages.get(fromId);
  if (log) draft.map("messages").set(fromId, { ...log, items: log.items.filter((entry) => entry.value.id < messageId) });
  const unread = draft.state.unread.get(fromId);
  if (unread) draft.put("unread", id, unread.value, seq);
  for (const one of [id, fromId]) {
    draft.map("previews").delete(one);
    draft.want(one);
  }
}
