// What a member can choose about notices, as the server has it.
import type { NoticePreferences } from "../api/types";

export const kinds = ["mentioned", "assigned", "answered", "note", "woke", "unassigned"] as const;
export const channels = ["desktop", "push", "mail"] as const;
export type Kind = (typeof kinds)[number];
export type Channel = (typeof channels)[number];
export type Change = Partial<Omit<NoticePreferences, "kinds" | "silences" | "mailWorks">> & { kinds?: Partial<Record<Kind, readonly Channel[]>> };

export interface PartProps {
  of: NoticePreferences;
  save: (change: Change) => Promise<void>;
}

/** The zone that was chosen, else the browser's. */
export function zoneOf({ zone, quietHours }: NoticePreferences): string {
  return zone === "UTC" && quietHours.length === 0 ? Intl.DateTimeFormat().resolvedOptions().timeZone : zone;
}
