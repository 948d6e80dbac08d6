// Texts of messages that are sent later, in German.
import type { texts as en } from "./later.texts";

export const texts = {
  sendLater: "Später senden",
  title: "Senden um",
  ifQuiet: "Zurückhalten, wenn der Kunde vorher schreibt",
  scheduled: (time: string) => `Wird gesendet: ${time}`,
  list: "Geplante Nachrichten",
  waits: (author: string, time: string) => `${author} sendet dies ${time}`,
  noteWaits: (author: string, time: string) => `${author} notiert dies ${time}`,
  held: {
    "": "Zurückgehalten",
    customer_wrote: "Zurückgehalten: Der Kunde hat geschrieben",
    author_left: "Zurückgehalten: Wer sie schrieb, ist nicht mehr dabei",
    unreachable: "Zurückgehalten: Der Kunde ist so nicht erreichbar",
    file_gone: "Zurückgehalten: Eine Datei fehlt",
    restored: "Zurückgehalten: Der Server wurde aus einer Sicherung wiederhergestellt",
  },
  files: (count: number) => (count === 1 ? "1 Datei" : `${count} Dateien`),
  edit: "Bearbeiten",
  time: "Andere Zeit",
  sendNow: "Jetzt senden",
  cancel: "Abbrechen",
  cancelled: "Wird nicht gesendet",
  undo: "Rückgängig",
} satisfies typeof en;
