import type { texts as en } from "./merges.texts";

export const texts = {
  merge: "Zusammenführen mit …",
  dialog: "Mit einer anderen Unterhaltung zusammenführen",
  list: "Unterhaltungen desselben Kontakts und Postfachs",
  none: "Der Kontakt hat keine andere Unterhaltung in diesem Postfach.",
  noMessages: "Noch keine Nachrichten",
  keep: "Diese Unterhaltung behalten und die gewählte in sie aufnehmen",
  act: "zusammenführen",
  merged: (count: number, name: string) => `${count} Unterhaltungen zusammengeführt · ${name}`,
  mergeSelected: "Mit der neuesten zusammenführen",
  onlyOfOne: "Nur Unterhaltungen desselben Kontakts und Postfachs können zusammengeführt werden",
  undoMerge: "Zusammenführung aufheben",
  undone: "Die Unterhaltungen sind wieder zwei",
} satisfies typeof en;
