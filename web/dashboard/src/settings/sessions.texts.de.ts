import type { texts as en } from "./sessions.texts";

export const texts = {
  what: "Erkennen Sie eine dieser Sitzungen nicht, beenden Sie sie und ändern Ihr Passwort.",
  from: (address: string) => `von ${address}`,
  end: (device: string) => `Sitzung von ${device} beenden`,
  ended: "Die Sitzung ist beendet",
  endOthers: "Alle anderen beenden",
  othersEnded: "Alle Ihre anderen Sitzungen sind beendet",
  show: "Wo sie angemeldet sind",
  of: (name: string) => `Wo ${name} angemeldet ist`,
  passwordStays: "Sitzungen enden innerhalb einer Sekunde. Das Passwort bleibt; erstellen Sie auch einen Link für ein neues, falls jemand es kennen könnte.",
  endAll: "Alle Sitzungen beenden",
  allEnded: (name: string) => `Alle Sitzungen von ${name} sind beendet`,
  close: "Schließen",
} satisfies typeof en;
