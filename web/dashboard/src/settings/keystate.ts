// When keys end.
import type { Key } from "../api/types";
import { texts } from "./texts";

const day = 24 * 60 * 60 * 1000;

/** The choices for the end of a new key, as days from now; "" for none. */
export const expiries: readonly { value: string; label: string }[] = [
  { value: "", label: texts.keystate.never },
  { value: "30", label: texts.keystate.in30Days },
  { value: "90", label: texts.keystate.in90Days },
  { value: "365", label: texts.keystate.inAYear },
  { value: "date", label: texts.keystate.onADay },
];

/**
 * Returns when a key ends that was made now, as RFC 3339 in UTC; null for
 * never. A chosen day counts to its end in the reader's time zone.
 */
export function expiryOf(choice: string, chosenDay: string, now: number): string | null {
  if (choice === "") return null;
  if (choice === "date") return chosenDay === "" ? null : new Date(`${chosenDay}T23:59:59`).toISOString();
  return new Date(now + Number(choice) * day).toISOString();
}

export type KeyState = "active" | "revoked" | "expired";

/** Says whether a key works at an instant. */
export function stateOf(key: Key, now: number): KeyState {
  if (key.revokedAt !== null) return "revoked";
  return key.expiresAt !== null && Date.parse(key.expiresAt) <= now ? "expired" : "active";
}

/** The keys that a member made and that still work, which somebody should decide on when the member leaves. */
export function keysToOffer(keys: readonly Key[], memberId: string, now: number): Key[] {
  return keys.filter((key) => key.createdBy.type === "member" && key.createdBy.id === memberId && stateOf(key, now) === "active");
}

/**
 * The keys that still work and of which nobody knows who made them: on the command line, or before the makers of keys
 * were kept. Anybody may have them, and so may a member who leaves.
 */
export function keysOfUnknown(keys: readonly Key[], now: number): Key[] {
  return keys.filter((key) => key.createdBy.type !== "member" && stateOf(key, now) === "active");
}

/** Says who made a key. */
export function makerOf({ createdBy }: Key): string {
  return createdBy.type === "member" ? texts.keystate.madeBy(createdBy.name) : texts.keystate.makerUnknown;
}
