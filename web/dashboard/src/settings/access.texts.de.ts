import type { texts as english } from "./access.texts";

export const texts = {
  sees: "Sieht",
  all: "Alle Unterhaltungen",
  own: "Nur einige Unterhaltungen",
  ownHint: "Die der gewählten Posteingänge, die der eigenen Teams und die zugewiesenen.",
  inboxes: "Posteingänge",
  noInboxes: "Der Arbeitsbereich hat keine Posteingänge.",
  change: "Unterhaltungen wählen …",
  changeTitle: (name: string) => `Was ${name} sieht`,
  save: "Speichern",
  someOnly: "Einige Unterhaltungen",
} satisfies typeof english;
