// Which alerts the member wants, as they have chosen on the server.
import { api } from "../api/client";
import type { NoticeKind, NoticePreferences } from "../api/types";

/** What an alert is about: a notice, or a customer whom nobody has. */
export type CallKind = NoticeKind | "unassigned";

/** Silences that the server names end some day: they are read again when the last read is older (ms). */
const oldAge = 12 * 3600_000;

/** The member's choices, read when they are first needed. Until the server has answered, everything is wanted. */
export class Wanted {
  private preferences: NoticePreferences | null = null;
  private readAt = -Infinity;

  /** They may have changed: the next alert reads them. */
  forget() {
    this.readAt = -Infinity;
  }

  async wants(kind: CallKind): Promise<boolean> {
    if (Date.now() - this.readAt > oldAge) await this.read();
    return this.preferences === null || isWanted(this.preferences, kind, Date.now());
  }

  private async read() {
    this.readAt = Date.now();
    try {
      this.preferences = await api.get<NoticePreferences>("/v1/dashboard/notice-preferences");
    } catch {
      this.readAt = -Infinity; // the old ones stay, and the next alert retries
    }
  }
}

/** Whether an alert of a kind may be made now. */
export function isWanted({ kinds, silences }: Pick<NoticePreferences, "kinds" | "silences">, kind: CallKind, now: number): boolean {
  const channels: readonly string[] = kinds[kind];
  return channels.includes("desktop") && !silences.some(({ begin, end }) => Date.parse(begin) <= now && now < Date.parse(end));
}
