import type { texts as en } from "./hidden.texts";

export const texts = {
  notYours: "Diese Unterhaltung gehört nicht mehr zu Ihren",
  draftStays: "Sie ist jetzt bei einem anderen Team oder einer anderen Person. Was Sie geschrieben haben, bleibt erhalten.",
} satisfies typeof en;
