// Deletes what this browser stores about conversations and contacts that were deleted: drafts, and messages that wait
// to be sent. While the dashboard is open, events tell; what was deleted before that has to be asked for.
import { useEffect } from "react";
import { api, ApiError } from "../api/client";
import { contactOf, draftFor, draftNames, none, saveDraft } from "../inbox/drafts";
import type { Outbox } from "../outbox/outbox";
import { useCell, useMe, useOnEvent, useStore } from "../sync";

/** Whether the server has no such record. */
export type IsGone = (kind: "conversations" | "contacts", id: string) => Promise<boolean>;

/** Deletes the drafts and waiting messages of a member whose conversation or contact is gone. */
export async function dropGone(memberId: string, outbox: Pick<Outbox, "items" | "forget">, isGone: IsGone) {
  const drafts = draftNames(memberId);
  const conversations = [...drafts.filter((name) => contactOf(name) === undefined), ...outbox.items.get().map(({ conversationId }) => conversationId)];
  for (const id of new Set(conversations)) {
    if (!(await isGone("conversations", id))) continue;
    saveDraft(memberId, id, none);
    outbox.forget(id);
  }
  for (const name of drafts) {
    const contact = contactOf(name);
    if (contact && (await isGone("contacts", contact))) saveDraft(memberId, name, none);
  }
}

/** Asks the server, until the signal aborts. */
function asking(signal: AbortSignal): IsGone {
  return async (kind, id) => {
    try {
      await api.get(`/v1/public/${kind}/${encodeURIComponent(id)}`, kind === "conversations" ? { messages_limit: 1 } : {}, signal);
      return false;
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return true;
      throw error;
    }
  };
}

/** Does so when the dashboard opens, when the state is read anew, and with each event of a deletion. */
export function useGone() {
  const { outbox, renewals } = useStore();
  const { id: meId } = useMe();
  const turn = useCell(renewals, (count) => count);
  useEffect(() => {
    const closed = new AbortController();
    dropGone(meId, outbox, asking(closed.signal)).catch(() => undefined); // asked again the next time
    return () => closed.abort();
  }, [meId, outbox, turn]);
  useOnEvent((event) => {
    if (event.type === "contact.deleted") saveDraft(meId, draftFor(event.data.id), none);
    if (event.type !== "conversation.deleted") return;
    saveDraft(meId, event.data.id, none);
    outbox.forget(event.data.id);
  });
}
