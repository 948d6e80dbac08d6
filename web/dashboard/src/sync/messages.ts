// The messages of open conversations.
import type { Message, MessagePreview } from "../api/types";
import type { Draft, Entry, MessageLog } from "./state";

/** Oldest first; ids, which carry time, break ties. */
function before(a: Pick<Message, "id" | "createdAt">, b: Pick<Message, "id" | "createdAt">): boolean {
  return a.createdAt === b.createdAt ? a.id < b.id : a.createdAt < b.createdAt;
}

/** Puts a message into its conversation's log, where that is kept here. */
export function insertMessage(draft: Draft, message: Message, seq: number) {
  const id = message.conversationId;
  const log = draft.state.messages.get(id);
  if (log) {
    const next = inserted(log, { value: message, seq });
    if (next !== log) draft.map("messages").set(id, next);
  }
  const preview = draft.state.previews.get(id);
  if (preview && (!preview.value || preview.value.id === message.id || before(preview.value, message))) draft.put("previews", id, previewOf(message), seq);
}

/** How many characters of a message a row may show; the server gives as many. */
const previewLength = 200;

export function previewOf({ id, content, contentType, messageType, senderType, isPrivate, attachments, createdAt }: Message): MessagePreview {
  return { id, preview: [...content.slice(0, 2 * previewLength)].slice(0, previewLength).join("") || (attachments[0]?.fileName ?? ""), contentType, messageType, senderType, isPrivate, attachmentCount: attachments.length, createdAt };
}

function inserted(log: MessageLog, entry: Entry<Message>): MessageLog {
  const at = log.items.findIndex((item) => item.value.id === entry.value.id);
  if (at >= 0) {
    const old = log.items[at];
    return old && old.seq >= entry.seq ? log : { ...log, items: log.items.with(at, entry) };
  }
  let to = log.items.length;
  while (to > 0 && before(entry.value, (log.items[to - 1] as Entry<Message>).value)) to--;
  // A backfilled message that is older than all that was loaded comes with its page.
  if (to === 0 && log.loaded && log.more && log.items.length > 0) return log;
  return { ...log, items: log.items.toSpliced(to, 0, entry) };
}

export const noMessages: MessageLog = { items: [], loaded: false, more: false, cursor: "" };

/** The log joined with a page that was read at `seq`: the newest one, or the one before the oldest message here. */
export function withPage(log: MessageLog, page: { data: Message[]; has_more: boolean; next_cursor: string }, seq: number, first: boolean): MessageLog {
  let next: MessageLog = { ...log, loaded: true };
  if (first) {
    // What the log already holds from events after the read stays.
    const known = new Set(page.data.map((message) => message.id));
    next.items = log.items.filter((entry) => entry.seq > seq || known.has(entry.value.id));
  }
  // Nothing is older than the log while pages are put in.
  next.more = false;
  for (const value of page.data) next = inserted(next, { value, seq });
  return { ...next, more: page.has_more, cursor: page.next_cursor };
}
