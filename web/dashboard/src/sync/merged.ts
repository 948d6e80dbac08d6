// What is read again after conversations were merged or taken apart.
import type { LogEvent } from "../api/types";
import type { Store } from "./store";

/** The messages of both, if they are known, and the member's drafts: no event says which of them moved. */
export function readMerged(store: Store, event: LogEvent) {
  if (event.type !== "conversation.merged" && event.type !== "conversation.unmerged") return;
  for (const id of [event.data.id, event.data.intoId]) if (store.state.get().messages.has(id)) void store.loadMessages(id).catch(() => undefined);
  void store.drafts.load();
}
