// The expiry of keys.
import type { Key } from "../api/types";
import { texts } from "./texts";

const day = 24 * 60 * 60 * 1000;

/** The choices for the expiry of a new key, as days from now; "" for none. */
export const expiries: readonly { value: string; label: string }[] = [
  { value: "", label: texts.keystate.never },
  { value: "30", label: texts.keystate.in30Days },
  { value: "90", label: texts.keystate.in90Days },
  { value: "365", label: texts.keystate.inAYear },
  { value: "date", label: texts.keystate.onADay },
];

/**
 * Returns the expiry of a key that is created now, as RFC 3339 in UTC; null for never. A chosen day counts until its
 * end in the reader's time zone.
 */
export function expiryOf(choice: string, chosenDay: string, now: number): string | null {
  if (choice === "") return null;
  if (choice === "date") return chosenDay === "" ? null : new Date(`${chosenDay}T23:59:59`).toISOString();
  return new Date(now + Number(choice) * day).toISOString();
}

export type KeyState = "active" | "revoked" | "expired";

/** Returns whether a key is valid at an instant. */
export function stateOf(key: Key, now: number): KeyState {
  if (key.revokedAt !== null) return "revoked";
  return key.expiresAt !== null && Date.parse(key.expiresAt) <= now ? "expired" : "active";
}

/** The valid keys that a member created. When the member leaves, somebody should decide about them. */
export function keysToOffer(keys: readonly Key[], memberId: string, now: number): Key[] {
  return keys.filter((key) => key.createdBy.type === "member" && key.createdBy.id === memberId && stateOf(key, now) === "active");
}

/**
 * The valid keys whose creator is unknown: created on the command line, or before creators were recorded. Anybody may
 * have them, including a member who leaves.
 */
export function keysOfUnknown(keys: readonly Key[], now: number): Key[] {
  return keys.filter((key) => key.createdBy.type !== "member" && stateOf(key, now) === "active");
}

/** Returns who created a key. */
export function makerOf({ createdBy }: Key): string {
  return createdBy.type === "member" ? texts.keystate.madeBy(createdBy.name) : texts.keystate.makerUnknown;
}
