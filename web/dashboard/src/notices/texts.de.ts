import type { texts as en } from "./texts";

export const texts = {
  title: "Mitteilungen",
  close: "Schließen",

  show: "Welche Mitteilungen",
  all: "Alle",
  onlyUnread: "Ungelesen",
  mentions: "Erwähnungen",

  readAll: "Alle als gelesen markieren",
  read: "Als gelesen markieren",
  unread: "Ungelesen",
  open: "Öffnen",
  toChoose: "Wählen",

  none: "Noch nichts",
  noneSaid: "Wenn jemand Sie erwähnt, Ihnen eine Unterhaltung zuweist oder in einer schreibt, der Sie folgen, steht es hier.",
  nothingUnread: "Sie haben alles gelesen",
  noMentions: "Niemand hat Sie erwähnt",
  old: "Mitteilungen werden 90 Tage aufbewahrt.",

  in: (contact: string) => `mit ${contact}`,
  somebody: "Jemand",
  mentioned: (who: string, count: number) => `${who} hat Sie ${count > 1 ? `${count}-mal ` : ""}erwähnt`,
  assigned: (who: string) => (who === "" ? "Ihnen zugewiesen" : `${who} hat Ihnen eine Unterhaltung zugewiesen`),
  wrote: (who: string, count: number) => `${who} hat ${count > 1 ? `${count} Nachrichten ` : ""}geschrieben`,
  answered: (who: string, count: number) => (count > 1 ? `${count} Nachrichten, zuletzt von ${who}` : `${who} hat geantwortet`),
  noted: (who: string, count: number) => (count > 1 ? `${count} Notizen, zuletzt von ${who}` : `${who} hat eine Notiz geschrieben`),
  woke: "Ist zurück",
} satisfies typeof en;
