// Deletes what this browser stores about conversations and contacts that were deleted: drafts, and messages that wait
// to be sent. While the dashboard is open, events tell; what was deleted before that has to be asked for.
import { useEffect } from "react";
import { api, ApiError } from "../api/client";
import type { WorkspaceState } from "../api/types";
import { contactOf, draftFor, draftNames, none, saveDraft } from "../inbox/drafts";
import type { Outbox } from "../outbox/outbox";
import { useCell, useMe, useOnEvent, useStore, useWorkspace } from "../sync";

type Kind = "conversations" | "contacts";

/** What is asked of the server. */
export interface Asking {
  /** Whether the server has no such record. */
  isGone: (kind: Kind, id: string) => Promise<boolean>;
  /** Whether the member is still the one who is signed in: every tab of a browser has the same session. */
  isSame: () => Promise<boolean>;
}

/** The most records that are asked for at a time; another time it is the turn of others. */
export const mostAsked = 100;

/** Deletes the drafts and waiting messages of a member whose conversation or contact is gone. */
export async function dropGone(memberId: string, outbox: Pick<Outbox, "items" | "forget">, { isGone, isSame }: Asking) {
  const gone: [kind: Kind, id: string][] = [];
  for (const [kind, id] of someOf(recordsOf(memberId, outbox))) {
    try {
      if (await isGone(kind, id)) gone.push([kind, id]);
    } catch (error) {
      if (endsAsking(error)) break;
    }
  }
  // Another member may have signed in meanwhile, to whom these records do not exist.
  if (gone.length === 0 || !(await isSame())) return;
  for (const [kind, id] of gone) {
    saveDraft(memberId, kind === "contacts" ? draftFor(id) : id, none);
    if (kind === "conversations") outbox.forget(id);
  }
}

/** The records about which this browser stores something. */
function recordsOf(memberId: string, outbox: Pick<Outbox, "items">): [kind: Kind, id: string][] {
  const drafts = draftNames(memberId);
  const conversations = [...drafts.filter((name) => contactOf(name) === undefined), ...outbox.items.get().map(({ conversationId }) => conversationId)];
  const contacts = drafts.flatMap((name): [Kind, string][] => {
    const id = contactOf(name);
    return id ? [["contacts", id]] : [];
  });
  return [...[...new Set(conversations)].map((id): [Kind, string] => ["conversations", id]), ...contacts];
}

/** As many of the records as are asked for at a time, from a random one on. */
function someOf<T>(records: readonly T[]): T[] {
  const first = records.length > mostAsked ? Math.floor(Math.random() * records.length) : 0;
  return [...records.slice(first), ...records.slice(0, first)].slice(0, mostAsked);
}

/** Whether the server would not answer about other records either. */
function endsAsking(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status === 0 || error.status === 401 || error.status === 429;
}

/** Asks the server, until the signal aborts. */
export function asking(me: { memberId: string; workspaceId: string }, signal: AbortSignal): Asking {
  return {
    isGone: async (kind, id) => {
      try {
        await api.get(`/v1/public/${kind}/${encodeURIComponent(id)}`, kind === "conversations" ? { messages_limit: 1 } : {}, signal);
        return false;
      } catch (error) {
        // A proxy answers 404 too, for example while the server is replaced.
        if (error instanceof ApiError && error.status === 404 && error.named && error.code === "not_found") return true;
        throw error;
      }
    },
    isSame: async () => {
      const { member, workspace } = await api.get<WorkspaceState>("/v1/dashboard/state", {}, signal);
      return member.id === me.memberId && workspace.id === me.workspaceId;
    },
  };
}

/** Does so when the dashboard opens, when the state is read anew, and with each event of a deletion. */
export function useGone() {
  const { outbox, renewals } = useStore();
  const { id: meId, access } = useMe();
  const { id: workspaceId } = useWorkspace();
  const turn = useCell(renewals, (count) => count);
  useEffect(() => {
    if (access === "own") return; // what such a member does not see may come back, with the draft
    const closed = new AbortController();
    dropGone(meId, outbox, asking({ memberId: meId, workspaceId }, closed.signal)).catch(() => undefined); // asked again the next time
    return () => closed.abort();
  }, [meId, access, workspaceId, outbox, turn]);
  useOnEvent((event) => {
    if (event.type === "contact.deleted") saveDraft(meId, draftFor(event.data.id), none);
    if (event.type !== "conversation.deleted") return;
    saveDraft(meId, event.data.id, none);
    outbox.forget(event.data.id);
  });
}
