import type { texts as en } from "./list.texts";

export const texts = {
  width: "Breite der Liste",
  compact: "Kompakte Zeilen",
  roomy: "Geräumige Zeilen",
} satisfies typeof en;
