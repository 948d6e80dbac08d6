import type { texts as en } from "./mentions.texts";

export const texts = {
  list: "Mitglieder und Teams",
  team: (count: number) => (count === 1 ? "Team, 1 Mitglied" : `Team, ${count} Mitglieder`),
  tells: (names: readonly string[], more: number) => `Benachrichtigt ${names.join(", ")}${more > 0 ? ` und ${more} weitere` : ""}.`,
  tooMany: (most: number, count: number) => `Eine Notiz kann höchstens ${most} Mitglieder nennen; diese nennt ${count}.`,
  onlyNotes: "Das liest der Kunde, und Namen darin benachrichtigen niemanden. Eine private Notiz benachrichtigt Mitglieder.",
  unnamed: (names: readonly string[]) => `Erwähnt ${names.join(", ")}`,
} satisfies typeof en;
