// What is read again after conversations were merged, taken apart or split.
import type { LogEvent } from "../api/types";
import type { Store } from "./store";

/**
 * The messages of both, if they are known, and what the member has begun and not read: no event says which of them
 * moved.
 */
export function readMerged(store: Store, event: LogEvent) {
  const { type, data } = event;
  if (type !== "conversation.merged" && type !== "conversation.unmerged" && type !== "conversation.split") return;
  for (const id of [data.id, "fromId" in data ? data.fromId : data.intoId]) if (store.state.get().messages.has(id)) void store.loadMessages(id).catch(() => undefined);
  void store.drafts.load();
  void store.reads.load();
}
