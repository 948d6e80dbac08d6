import type { texts as en } from "./texts";

export const texts = {
  locale: "de",
  offline: {
    title: "Keine Verbindung",
    text: "Parley ist nicht erreichbar. Was Sie geschrieben haben, ist weiterhin in diesem Browser; diese Seite macht weiter, sobald die Verbindung wieder steht.",
    retry: "Erneut versuchen",
  },
  notice: {
    mentioned: (actor: string) => `${actor || "Jemand"} hat Sie erwähnt`,
    assigned: (actor: string) => (actor ? `${actor} hat Ihnen eine Unterhaltung zugewiesen` : "Eine Unterhaltung gehört jetzt Ihnen"),
    answered: (actor: string, contact: string) => `${actor} hat ${contact || "einem Kunden"} geantwortet`,
    note: (actor: string) => `${actor || "Jemand"} hat eine Notiz geschrieben`,
    woke: "Eine Unterhaltung ist zurück",
    aCustomer: "Ein Kunde",
    other: "Etwas Neues",
    times: (title: string, count: number) => `${title} (${count})`,
    testTitle: "Benachrichtigungen funktionieren",
    testText: "Dieses Gerät zeigt, was Sie in Parley betrifft.",
  },
} satisfies typeof en;
