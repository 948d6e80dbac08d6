import type { texts as en } from "./words.texts";

export const texts = {
  showAll: (chars: number) => `Alle ${chars.toLocaleString("de")} Zeichen zeigen`,
  pictures: "Bilder",
  previous: "Voriges Bild",
  next: "Nächstes Bild",
  close: "Schließen",
  place: (at: number, all: number) => `${at} von ${all}`,
  openInTab: "In neuem Tab öffnen",
} satisfies typeof en;
