// Reading a conversation in both directions from one of its messages.
import { api, ApiError } from "../api/client";
import type { Message, Page } from "../api/types";
import { ingestAround, ingestBeside } from "./ingest";
import type { Store } from "./store";

const pageSize = 50;
const address = (id: string) => `/v1/public/conversations/${id}/messages`;

/** Reads the messages around one. Returns whether it exists. */
export async function readAround(store: Store, id: string, messageId: string): Promise<boolean> {
  let found = true;
  await store.reading(`messages:${id}`, async () => {
    const page = (order: string) => api.read<Page<Message>>(address(id), { order, from: messageId, limit: pageSize });
    const { conversations, previews } = store.state.get();
    const known = conversations.has(id) && previews.has(id) ? undefined : store.loadConversation(id);
    const pages = await Promise.all([page("desc"), page("asc"), known]).catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.passing) throw error;
      found = false;
      return null;
    });
    if (!pages) return;
    const [older, newer] = pages;
    const [one, other] = [store.seqOf(older.position), store.seqOf(newer.position)];
    // The result is as of the earlier of the two reads; events in between will be read as later messages.
    if (one !== null && other !== null) store.state.update((state) => ingestAround(state, id, older.data, newer.data, Math.min(one, other)));
  });
  return found;
}

/** Reads the page before or after the known messages. */
export function readBeside(store: Store, id: string, side: "older" | "later", behind: { cursor: string } | { from: string }): Promise<void> {
  return store.reading(`messages:${id}`, async () => {
    const { data, position } = await api.read<Page<Message>>(address(id), { order: side === "older" ? "desc" : "asc", limit: pageSize, ...behind });
    const seq = store.seqOf(position);
    if (seq !== null) store.state.update((state) => ingestBeside(state, id, data, seq, side));
  });
}
