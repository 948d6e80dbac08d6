import type { texts as en } from "./list.texts";

export const texts = {
  widths: { listWidth: "Breite der Liste", contactWidth: "Breite des Kontakts" },
  compact: "Kompakte Zeilen",
  roomy: "Geräumige Zeilen",
} satisfies typeof en;
