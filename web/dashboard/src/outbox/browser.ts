// The outbox in a browser: its storage, its locks, its clock, and the API.
import { api, REPLACED } from "../api/client";
import type { Conversation, HistoryEntry, Message, Page, Thread } from "../api/types";
import { bodyOf, type Item } from "./item";
import { Outbox, outlives, type Wire } from "./outbox";
import { openItemStore } from "./itemstore";

/** A request that hangs is aborted and retried, which the key makes safe. */
const longest = 30_000;

/** The member's requests, each with a time limit. */
export const wireOf = (meId: string): Wire => ({
  post: (item: Item) =>
    api.post<Message>(`/v1/public/conversations/${item.conversationId}/messages`, bodyOf(item, meId), { idempotencyKey: item.key, signal: AbortSignal.timeout(longest), keepalive: outlives(item) }),
  look: async (id: string) => {
    const { status, messages } = await api.get<Thread>(`/v1/public/conversations/${id}`, { messages_limit: 50 }, AbortSignal.timeout(longest));
    return { status, messages: messages.data, history: status === "resolved" ? await historyOf(id) : [] };
  },
  setStatus: (id: string, status: "open" | "resolved") => api.patch<Conversation>(`/v1/public/conversations/${id}`, { status }, AbortSignal.timeout(longest)),
});

async function historyOf(id: string): Promise<HistoryEntry[]> {
  const entries: HistoryEntry[] = [];
  for (let cursor = "", pages = 0; pages < 10; pages++) {
    const page = await api.get<Page<HistoryEntry>>(`/v1/public/conversations/${id}/history`, { limit: 200, cursor }, AbortSignal.timeout(longest));
    entries.push(...page.data);
    cursor = page.next_cursor;
    if (!page.has_more) break;
  }
  return entries;
}

interface Of {
  workspaceId: string;
  meId: string;
  onSent: (conversationId: string, message: Message | null) => void;
}

/** The outbox of a member in a workspace. */
export function openOutbox({ workspaceId, meId, onSent }: Of): Outbox {
  return new Outbox({
    meId,
    wire: wireOf(meId),
    onSent,
    onReplaced: () => window.dispatchEvent(new Event(REPLACED)),
    store: openItemStore(workspaceId, meId),
    now: () => Date.now(),
    random: () => Math.random(),
    newKey: () => crypto.randomUUID(),
    // Locks exist on secure pages only. Without them, only the key prevents duplicates.
    alone: async (name, signal, work) => ("locks" in navigator ? navigator.locks.request(`parley.outbox.${workspaceId}.${meId}.${name}`, { signal }, work) : work()),
    later: (ms, run) => {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
  });
}

/** Retries whenever the connection may be back. Returns the function that stops it. */
export function wakeOnReturn(outbox: Outbox): () => void {
  const wake = () => outbox.wake();
  const shown = () => document.visibilityState === "visible" && outbox.wake();
  window.addEventListener("online", wake);
  document.addEventListener("visibilitychange", shown);
  return () => {
    window.removeEventListener("online", wake);
    document.removeEventListener("visibilitychange", shown);
  };
}
