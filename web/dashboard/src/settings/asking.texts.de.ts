import type { texts as en } from "./asking.texts";

export const texts = {
  title: "Besucher fragen, wer sie sind",
  when: "Fragen",
  off: "Nie",
  before: "Vor der ersten Nachricht",
  after: "Nach der ersten Nachricht",
  unconfirmed: "Was Besucher eingeben, ist nicht bestätigt: Es öffnet nichts, und Mitglieder sehen es neben der Konversation. Kunden mit signierter Identität werden nicht gefragt.",
  name: "Nach dem Namen",
  email: "Nach der E-Mail-Adresse",
  required: "Besucher müssen antworten",
  requiredBefore: "Ohne Antwort kann niemand schreiben.",
} satisfies typeof en;
