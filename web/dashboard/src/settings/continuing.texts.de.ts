import type { texts as en } from "./continuing.texts";

export const texts = {
  title: "Per E-Mail fortsetzen",
  when: "Verpasste Nachrichten per E-Mail senden",
  never: "Nie",
  after: (minutes: number) => `${minutes} Minuten nach der letzten Nachricht`,
  hint: "Eine E-Mail je Abwesenheit, höchstens eine am Tag. Eine Adresse, die ein Besucher nur eingegeben hat, bekommt insgesamt eine E-Mail, und erst nachdem ein Mitglied geschrieben hat.",
  needsServer: "Dafür ist ein Mailserver nötig:",
  mail: "Einstellungen, E-Mail",
} satisfies typeof en;
