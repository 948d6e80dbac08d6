// What the customer writes and has not sent yet. It outlives the page, and the
// team hears that somebody types.
import type { Context } from "./context";

/** A signal that goes on is told again after so long (ms). */
const typingPause = 4000;

export class Drafts {
  private readonly context: Context;
  /** When the team was told last that the customer types; 0 when it was told that this ended. */
  private typedAt = 0;

  constructor(context: Context) {
    this.context = context;
  }

  /** The draft of a conversation; null is the one that begins with the next message. */
  of(id: string | null): string {
    return this.context.tab.drafts.get()?.[id ?? "new"] ?? "";
  }

  keep(id: string | null, text: string) {
    const { tab, session, state } = this.context;
    tab.drafts.set({ ...tab.drafts.get(), [id ?? "new"]: text });
    if (id === null || session.token === "" || state.config === null) return;
    const now = Date.now();
    const typing = text !== "";
    if (typing && now - this.typedAt < typingPause) return;
    if (!typing && this.typedAt === 0) return;
    this.typedAt = typing ? now : 0;
    this.context.ask(`conversations/${id}/typing`, { method: "POST", body: { typing } }).catch(() => undefined); // only a hint
  }

  /** The message itself ends the typing. */
  sent() {
    this.typedAt = 0;
  }

  /** The conversation has begun: what was written for it meanwhile is its draft. */
  begun(id: string) {
    this.keep(id, this.of(null));
    const { tab } = this.context;
    tab.drafts.set({ ...tab.drafts.get(), new: "" });
  }

  /** What the one wrote is none of the next one's. */
  forget() {
    this.context.tab.drafts.set(null);
  }
}
