import type { texts as en } from "./texts";

export const texts = {
  item: {
    timeout: "Der Server hat nicht rechtzeitig geantwortet.",
    unreachable: "Der Server ist nicht erreichbar.",
    signedOut: "Sie sind abgemeldet.",
    anotherMember: "Hier ist ein anderes Mitglied angemeldet.",
    notAllowed: "Sie dürfen hier nicht schreiben.",
    tooMuch: "Sie haben zu viele Anfragen gesendet.",
    serverFails: "Der Server kann gerade nicht antworten.",
    memberGone: "Jemand, den sie nennt, ist kein Mitglied mehr. Kehren Sie zur Bearbeitung zurück.",
    fileGone: "Eine Datei ist nicht mehr auf dem Server. Kehren Sie zur Bearbeitung zurück, und hängen Sie sie erneut an.",
    conversationGone: "Die Unterhaltung gibt es nicht mehr.",
    tooLong: "Der Text ist zu lang für eine Nachricht.",
    you: "Sie",
    theAutomatedAgent: "Der automatische Agent",
    somebody: "Jemand",
  },

  leaving: {
    one: "Eine Ihrer Nachrichten ist noch nicht gesendet.",
    more: (count: number) => `${count} Ihrer Nachrichten sind noch nicht gesendet.`,
  },
} satisfies typeof en;
