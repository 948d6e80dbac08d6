// What events of a deletion take out of the state.
import type { Draft, MessageLog } from "./state";

/** Takes a conversation out of everything that shows it. */
export function dropConversation(draft: Draft, id: string) {
  draft.bury(id);
  for (const name of ["conversations", "previews", "unread", "messages"] as const) if (draft.state[name].has(id)) draft.map(name).delete(id);
  for (const [key, list] of draft.state.lists) {
    if (list.ids.includes(id)) draft.map("lists").set(key, { ...list, ids: list.ids.filter((other) => other !== id) });
  }
}

/** Takes a contact out of the state. Its conversations go by events of their own. */
export function dropContact(draft: Draft, id: string) {
  draft.bury(id);
  if (draft.state.contacts.has(id)) draft.map("contacts").delete(id);
}

/** Takes a message out of its conversation. Where it was the newest one, the row of the conversation is read anew. */
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
