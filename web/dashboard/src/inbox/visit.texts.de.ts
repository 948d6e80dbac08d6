import type { texts as en } from "./visit.texts";

export const texts = {
  typed: "Vom Besucher eingegeben",
  unconfirmed: "Nicht bestätigt: Jeder kann jede Adresse eingeben",
  name: "Name",
  email: "E-Mail",
  title: "Auf der Website",
  unproven: "Von der Website angegeben, nicht bewiesen",
  page: "Seite",
  from: "Kam von",
  language: "Sprache",
  time: "Ortszeit",
  there: (time: string, zone: string) => `${time} (${zone})`,
  device: "Browser",
  seen: "Zuletzt gesehen",
} satisfies typeof en;
