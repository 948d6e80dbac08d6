import type { texts as en } from "./gaps.texts";

export const texts = {
  title: "Lücken",
  description: "Fragen von Kunden und Mitgliedern, die kein Artikel beantwortet hat, ohne Adressen und Nummern.",
  open: "Lücken",
  product: "Produkt",
  anyProduct: "Beliebiges Produkt",
  noProduct: "Für alle Produkte",
  week: "Woche",
  allWeeks: "Letzte 26 Wochen",
  weekOf: (day: string) => `Woche vom ${day}`,
  loading: "Fragen werden geladen",
  shown: (count: number) => (count === 1 ? "1 Frage" : `${count} Fragen`),
  asked: (count: number) => (count === 1 ? "einmal gefragt" : `${count}-mal gefragt`),
  sources: { widget: "Chat", help_center: "Hilfecenter", agent: "Posteingang", bot: "Agent" },
  write: "Fehlenden Artikel schreiben",
  dismiss: "Ausblenden",
  dismissOf: (question: string) => `„${question}“ ausblenden`,
  writeOf: (question: string) => `Fehlenden Artikel schreiben: ${question}`,
  dismissed: "Die Frage ist ausgeblendet. Sie kommt zurück, wenn wieder jemand fragt.",
  none: "Keine Lücken",
  whatFor: "Wenn jemand fragt und kein Artikel passt, erscheint die Frage innerhalb einer Minute hier.",
} satisfies typeof en;
