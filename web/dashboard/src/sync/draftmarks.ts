// Which drafts there are on the server: the member's own, and that the others have some. Signals keep them current; the
// server lists them when signals may have been missed.
import { api } from "../api/client";
import type { DraftMarks as Marks, DraftSignal } from "../api/types";
import { createCell } from "./cell";

/** What the server has of a draft of the member. */
export interface OwnMark {
  version: number;
  /** The beginning of the text; "" if this tab has not read it. */
  preview: string;
}

export class DraftMarks {
  /** The member's own drafts by conversation; null until they are known. */
  readonly own = createCell<ReadonlyMap<string, OwnMark> | null>(null);
  /** Who else has a draft, by conversation, and since when. */
  readonly others = createCell<ReadonlyMap<string, ReadonlyMap<string, string>>>(new Map());
  /** How often they were read from the server. */
  readonly loads = createCell(0);
  private readonly listeners = new Set<(conversationId: string) => void>();
  /** Counts the signals, to recognize an answer from before one. */
  private turns = 0;

  /** Handles a signal of the stream. */
  saw({ conversationId, memberId, version, createdAt }: DraftSignal, meId: string) {
    this.turns++;
    if (memberId === meId) return this.saved(conversationId, { version, preview: "" });
    this.others.update((old) => {
      const members = new Map(old.get(conversationId));
      if (createdAt) members.set(memberId, createdAt);
      else members.delete(memberId);
      const next = new Map(old);
      if (members.size > 0) next.set(conversationId, members);
      else next.delete(conversationId);
      return next;
    });
  }

  /** Records the member's draft of a conversation; version 0: there is none. */
  saved(conversationId: string, mark: OwnMark) {
    const known = this.own.get()?.get(conversationId);
    if ((known?.version ?? 0) === mark.version && (known?.preview ?? "") === mark.preview) return;
    this.own.update((old) => {
      const next = new Map(old);
      if (mark.version > 0) next.set(conversationId, { ...mark, preview: mark.preview || (known?.version === mark.version ? known.preview : "") });
      else next.delete(conversationId);
      return next;
    });
  }

  /** Calls the listener when the draft in this browser was changed by the server's. Returns the function that stops it. */
  onTaken(listener: (conversationId: string) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  taken(conversationId: string) {
    for (const listener of [...this.listeners]) listener(conversationId);
  }

  /** Forgets the drafts of a conversation that was deleted. */
  forget(conversationId: string) {
    this.saved(conversationId, { version: 0, preview: "" });
    this.others.update((old) => (old.has(conversationId) ? new Map([...old].filter(([id]) => id !== conversationId)) : old));
  }

  /** Forgets the drafts of a member who was removed. */
  without(memberId: string) {
    for (const [id, members] of this.others.get()) if (members.has(memberId)) this.saw({ conversationId: id, memberId, version: 0, createdAt: null }, "");
  }

  /** Reads all of them from the server. */
  async load(): Promise<void> {
    const turn = this.turns;
    try {
      const { own, others } = await api.get<Marks>("/v1/dashboard/drafts");
      if (turn !== this.turns) return await this.load();
      const byConversation = new Map<string, Map<string, string>>();
      for (const { conversationId, memberId, createdAt } of others) byConversation.set(conversationId, new Map(byConversation.get(conversationId)).set(memberId, createdAt));
      this.others.set(byConversation);
      this.own.set(new Map(own.map(({ conversationId, version, preview }) => [conversationId, { version, preview }])));
      this.loads.update((count) => count + 1);
    } catch {
      // Retried with the next connection.
    }
  }
}
