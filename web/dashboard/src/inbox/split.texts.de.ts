import type { texts as en } from "./split.texts";

export const texts = {
  dialog: "Die Unterhaltung aufteilen",
  choose: "Ab welcher Nachricht geht es um etwas anderes?",
  list: "Nachrichten, die neuesten zuerst",
  none: "Eine Unterhaltung mit einer Nachricht kann nicht aufgeteilt werden.",
  noMatch: "Das steht in keiner Nachricht.",
  earlier: "Frühere Nachrichten zeigen",
  act: "wählen",
  here: "Ab hier abtrennen",
  moves: (count: number, name: string) =>
    count === 1 ? `Eine Nachricht kommt in eine neue Unterhaltung mit ${name}:` : `${count} Nachrichten kommen in eine neue Unterhaltung mit ${name}, von dieser an:`,
  tooMany: "Höchstens 1.000 Nachrichten können abgetrennt werden. Wählen Sie eine spätere.",
  rest: "Zuständigkeit, Team und Priorität bleiben gleich. Entwürfe und geplante Nachrichten bleiben hier. Sie können es zurücknehmen.",
  action: (count: number) => (count === 1 ? "1 Nachricht abtrennen" : `${count} Nachrichten abtrennen`),
  done: (count: number, name: string) => `${count === 1 ? "1 Nachricht" : `${count} Nachrichten`} abgetrennt · ${name}`,
  conflict: "Das geht gerade nicht: Gruppen und Spam bleiben ganz, ebenso Unterhaltungen mit einer Nachricht, die noch unterwegs ist, und solche, die gelöscht werden.",
  cancel: "Abbrechen",
  back: "Wieder zusammenführen",
  open: "Öffnen",
  undone: "Die Unterhaltungen sind wieder eine",
} satisfies typeof en;
