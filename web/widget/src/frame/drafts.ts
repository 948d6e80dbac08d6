// Unsent text of the customer, which outlives the page, and the typing signal
// to the team.
import type { Context } from "./context";

/** While typing continues, the signal is renewed after this time (ms). */
const typingPause = 4000;

export class Drafts {
  private readonly context: Context;
  /** When the team was last told that the customer is typing; 0 once it was told that the typing ended. */
  private typedAt = 0;

  constructor(context: Context) {
    this.context = context;
  }

  /** The draft of a conversation; null for the one that starts with the next message. */
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

  /** A sent message ends the typing. */
  sent() {
    this.typedAt = 0;
  }

  /** The conversation has started: text written for it in the meantime becomes its draft. */
  begun(id: string) {
    this.keep(id, this.of(null));
    const { tab } = this.context;
    tab.drafts.set({ ...tab.drafts.get(), new: "" });
  }

  /** A draft is not shown to the next customer. */
  forget() {
    this.context.tab.drafts.set(null);
  }
}
