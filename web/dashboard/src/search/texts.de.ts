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
  },
} satisfies typeof en;
