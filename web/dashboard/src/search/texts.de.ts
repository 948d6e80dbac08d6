import type { texts as en } from "./texts";

export const texts = {
  searchPage: {
    search: "Suche",
    label: "Nachrichten, Kontakte und Unternehmen durchsuchen",
    placeholder: "Wörter einer Nachricht, ein Name, eine E-Mail-Adresse …",
    whatToSearch: "Was durchsucht wird",
    nothingAsked: "Wonach suchen Sie?",
    howItFinds: "Alle Wörter müssen vorkommen; das letzte darf unvollständig sein.",
    nothingFor: (q: string) => `Nichts gefunden für „${q}“`,
    tryFewer: "Versuchen Sie es mit weniger Wörtern, oder durchsuchen Sie alles.",
    found: "Gefunden",
    showMore: "Mehr anzeigen",
    everything: "Alles",
    messages: "Nachrichten",
    contacts: "Kontakte",
    companies: "Unternehmen",
    refused: "So lässt sich nicht suchen",
  },

  operators: {
    narrow: "Suche eingrenzen",
    values: (operator: string) => `Werte von ${operator}:`,
    rules: "Ein Minus davor bedeutet das Gegenteil; ein Wert mit Leerzeichen braucht Anführungszeichen.",
    of: {
      from: "wer die Nachricht schrieb: me (ich), customer (Kunde), team, bot oder ein Name",
      label: "ein Label der Unterhaltung",
      is: "der Stand der Unterhaltung, etwa open, unread oder snoozed; note findet interne Notizen",
      in: "ein Posteingang, ein Produkt oder ein Kanal",
      assignee: "wer die Unterhaltung hat: me (ich), none (niemand) oder ein Name",
      team: "das Team der Unterhaltung oder none (keines)",
      before: "vor einem Tag, Monat oder Jahr geschrieben, etwa 2026-11-23",
      after: "ab diesem Zeitpunkt geschrieben",
      has: "file findet Nachrichten mit Anhängen",
    },
  },
} satisfies typeof en;
