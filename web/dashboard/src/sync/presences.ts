// Who is viewing or typing in which conversation, from signals of the stream. A
// signal expires after a while, so a member who is still there renews it.
import type { MemberPresence, Presence } from "../api/types";
import { createCell } from "./cell";

/** Another member's presence, and when it expires unless renewed (ms). */
export interface Seen extends MemberPresence {
  until: number;
}

const presenceLife = 25_000;
/** A customer's typing is renewed every few seconds while it lasts. */
const typingLife = 10_000;

export class Presences {
  /** By member. */
  readonly members = createCell<ReadonlyMap<string, Seen>>(new Map());
  /** Conversations whose customer is typing now, and when that expires unless renewed (ms). */
  readonly typing = createCell<ReadonlyMap<string, number>>(new Map());

  /** Handles a signal of the stream. The member's own, from another tab, is ignored. */
  saw(presence: Presence, meId: string) {
    if (!("memberId" in presence)) return this.setTyping(presence.conversationId, presence.typing);
    if (presence.memberId === meId) return;
    this.members.update((old) => {
      const next = new Map(old);
      if (presence.conversationId === null) next.delete(presence.memberId);
      else next.set(presence.memberId, { ...presence, until: Date.now() + presenceLife });
      return next;
    });
  }

  setTyping(conversationId: string, typing: boolean) {
    this.typing.update((old) => {
      if (!typing && !old.has(conversationId)) return old;
      const next = new Map(old);
      if (typing) next.set(conversationId, Date.now() + typingLife);
      else next.delete(conversationId);
      return next;
    });
  }

  /** Drops expired signals. */
  sweep(now: number) {
    for (const [id, until] of this.typing.get()) if (until < now) this.setTyping(id, false);
    this.members.update((old) => ([...old.values()].some((seen) => seen.until < now) ? new Map([...old].filter(([, seen]) => seen.until >= now)) : old));
  }
}
