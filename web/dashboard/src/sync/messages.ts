// The messages of open conversations.
import type { Conversation, Message, MessagePreview } from "../api/types";
import type { Draft, Entry, MessageLog, State } from "./state";

/** Oldest first; ids, which contain time, break ties. */
function before(a: Pick<Message, "id" | "createdAt">, b: Pick<Message, "id" | "createdAt">): boolean {
  return a.createdAt === b.createdAt ? a.id < b.id : a.createdAt < b.createdAt;
}

/** Inserts a message into the log of the conversation that shows it, if that is kept. */
export function insertMessage(draft: Draft, message: Message, seq: number) {
  const id = ledOn(draft.state, message.conversationId);
  const log = draft.state.messages.get(id);
  if (log) {
    const next = inserted(log, { value: message, seq });
    if (next !== log) draft.map("messages").set(id, next);
  }
  const preview = draft.state.previews.get(id);
  if (preview && (!preview.value || preview.value.id === message.id || before(preview.value, message))) draft.put("previews", id, previewOf(message), seq);
}

/** The conversation that shows the messages of one: another one if it was merged. */
export function ledOn(state: Pick<State, "merged" | "conversations">, id: string): string {
  const conversation: Partial<Conversation> | undefined = state.conversations.get(id)?.value;
  const into = conversation?.mergedInto; // events of earlier versions do not have it
  return (into === undefined ? state.merged.get(id) : into) ?? id;
}

/** The most characters of a message in a row; the server sends as many. */
const previewLength = 200;

export function previewOf({ id, content, contentType, messageType, senderType, isPrivate, attachments, createdAt }: Message): MessagePreview {
  return {
    id,
    preview:
      Array.from(content.slice(0, 2 * previewLength))
        .slice(0, previewLength)
        .join("") ||
      (attachments[0]?.fileName ?? ""),
    contentType,
    messageType,
    senderType,
    isPrivate,
    attachmentCount: attachments.length,
    createdAt,
  };
}

function inserted(log: MessageLog, entry: Entry<Message>): MessageLog {
  const at = log.items.findIndex((item) => item.value.id === entry.value.id);
  if (at >= 0) {
    const old = log.items[at];
    return old && old.seq >= entry.seq ? log : { ...log, items: log.items.with(at, entry) };
  }
  let to = log.items.length;
  while (to > 0 && before(entry.value, (log.items[to - 1] as Entry<Message>).value)) to--;
  // A backfilled message that is older than the loaded ones comes with its page.
  if (to === 0 && log.loaded && log.more && log.items.length > 0) return log;
  // So does a message that is newer than a log of the past.
  if (to === log.items.length && log.later && log.items.length > 0) return log;
  return { ...log, items: log.items.toSpliced(to, 0, entry) };
}

export const noMessages: MessageLog = { items: [], loaded: false, more: false, cursor: "", around: false, later: false, laterCursor: "" };

/** Adds a page that was read at `seq` to the log: the newest page, or the one before the oldest known message. */
export function withPage(log: MessageLog, page: { data: Message[]; has_more: boolean; next_cursor: string }, seq: number, first: boolean): MessageLog {
  let next: MessageLog = { ...log, loaded: true };
  if (first) {
    // Messages that are already in the log from events after the read stay.
    const known = new Set(page.data.map((message) => message.id));
    next.items = log.items.filter((entry) => entry.seq > seq || known.has(entry.value.id));
    next = { ...next, around: false, later: false, laterCursor: "" };
  }
  // No message counts as older than the log while pages are inserted.
  next.more = false;
  for (const value of page.data) next = inserted(next, { value, seq });
  return { ...next, more: page.has_more, cursor: page.next_cursor };
}

interface MessagePage {
  data: Message[];
  has_more: boolean;
  next_cursor: string;
}

/**
 * A log around a message, from the page that ends with it (newest first) and the page that starts with it, read at
 * `seq`. If there were events since (`now`), their messages are after its end.
 */
export function logAround(older: MessagePage, newer: MessagePage, seq: number, now: number): MessageLog {
  const items = [...older.data.slice(1).reverse(), ...newer.data].map((value) => ({ value, seq }));
  return { items, loaded: true, more: older.has_more, cursor: older.next_cursor, around: true, later: newer.has_more || now > seq, laterCursor: newer.next_cursor };
}

/** Adds the page before the oldest message to the log. */
export function withOlder(log: MessageLog, page: MessagePage, seq: number): MessageLog {
  let next: MessageLog = { ...log, more: false };
  for (const value of page.data) next = inserted(next, { value, seq });
  return { ...next, more: page.has_more, cursor: page.next_cursor };
}

/** Adds the page after the newest message to the log. */
export function withLater(log: MessageLog, page: MessagePage, seq: number, now: number): MessageLog {
  let next: MessageLog = { ...log, later: false };
  for (const value of page.data) next = inserted(next, { value, seq });
  return { ...next, later: page.has_more || now > seq, laterCursor: page.next_cursor };
}
