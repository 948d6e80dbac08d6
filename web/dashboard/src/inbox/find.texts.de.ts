import type { texts as en } from "./find.texts";

export const texts = {
  title: "In dieser Unterhaltung suchen",
  label: "In der Unterhaltung suchen",
  older: "Älterer Treffer",
  newer: "Neuerer Treffer",
  close: "Suche schließen",
  place: (at: number, of: number, more: boolean) => `${at} von ${of}${more ? "+" : ""}`,
  none: "Keine Treffer",
} satisfies typeof en;
