import type { texts as en } from "./numberstate.texts";

export const texts = {
  restricted: "Eingeschränkt",
  restrictedUntil: (time: string) => `Bis ${time} kann die Nummer nur Personen schreiben, die ihr geschrieben haben.`,
  connected: "Verbunden",
  pairing: "Wird gekoppelt",
  waitsForThePhone: "Wartet auf jemanden mit dem Telefon.",
  loggedOut: "Abgemeldet",
  pairItAgain: "Koppeln Sie die Nummer erneut, um sie zu verbinden.",
  banned: "Gesperrt",
  untilUnknown: "Das Ende ist unbekannt.",
  until: (time: string) => `Bis ${time}.`,
  messagesWaitUntilThen: "Nachrichten warten bis dahin.",
  needsANewerParley: "Benötigt ein neueres Parley",
  updateTheServer: "WhatsApp verlangt eine neuere Version. Aktualisieren Sie den Server; Nachrichten warten bis dahin.",
  notPaired: "Nicht gekoppelt",
  pairIt: "Koppeln Sie die Nummer mit ihrem Telefon, um sie zu verbinden.",
  disconnected: "Getrennt",
  messagesWait: "Nachrichten warten, bis die Nummer wieder verbunden ist.",
  connecting: "Wird verbunden",
} satisfies typeof en;
