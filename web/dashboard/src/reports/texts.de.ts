import type { texts as en } from "./texts";

export const texts = {
  chart: {
    byDay: (label: string) => `${label}, nach Tag`,
    keysHint: "Mit den Pfeiltasten hören Sie die Zahlen eines Tages",
  },

  charts: {
    within90: "90 % binnen",
    openedAndResolved: "Begonnen und gelöst",
    timeToFirstResponse: "Zeit bis zur ersten Antwort",
    timeToResolution: "Zeit bis zur Lösung",
    opened: "Begonnen",
    resolved: "Gelöst",
    median: "Median",
  },

  controls: {
    limited: "Das sind die Zahlen Ihrer Posteingänge. Unterhaltungen, die Sie nur durch ein Team oder eine Zuweisung sehen, zählen nicht mit.",
    which: { product: "Welches Produkt", inbox: "Welches Postfach", member: "Welches Mitglied" },
    choose: { product: "Produkt wählen", inbox: "Postfach wählen", member: "Mitglied wählen" },
    rowsBy: "Zeilen nach",
    days: "Tage",
    from: "Von",
    to: "Bis",
    show: "Anzeigen",
    conversations: "Unterhaltungen",
    company: "Unternehmen",
    searchCompanies: "Unternehmen suchen",
    lastDays: (days: string) => `${days} Tage`,
    lastWeek: "Letzte Woche",
    custom: "Eigener Zeitraum",
    everything: "Alles",
    oneProduct: "Ein Produkt",
    oneInbox: "Ein Postfach",
    oneMember: "Ein Mitglied",
    oneCompany: "Ein Unternehmen",
  },

  index: {
    period: (from: string, to: string) => `${from} bis ${to}. Tage sind in UTC.`,
    reports: "Berichte",
    csv: "CSV",
    noActivityInThisPeriod: "Keine Aktivität in diesem Zeitraum",
    chooseALongerRange: "Wählen Sie einen längeren Zeitraum, oder entfernen Sie den Filter.",
  },

  items: {
    moreBelow: (count: number) => `${count} weitere in der Tabelle unten.`,
  },

  table: {
    allNumbers: "Alle Zahlen",
    allNumbersOfTheReport: "Alle Zahlen des Berichts",
    opened: "Begonnen",
    resolved: "Gelöst",
    firstResponse: "Erste Antwort",
    resolution: "Lösung",
    median: "Median",
    within90: "90 % binnen",
    total: "Gesamt",
  },

  query: {
    day: "Tag",
    product: "Produkt",
    inbox: "Postfach",
    member: "Mitglied",
    company: "Unternehmen",
    giveBothDays: "Geben Sie beide Tage ein.",
    wrongOrder: "Der erste Tag darf nicht nach dem letzten liegen.",
    tooLong: (maxDays: number) => `Ein Bericht umfasst höchstens ${maxDays} Tage.`,
  },

  rows: {
    deleted: "Gelöscht",
    noProduct: "Kein Produkt",
    noInbox: "Kein Postfach",
    noMember: "Über die API oder niemand",
    noCompany: "Kein Unternehmen",
  },

  summary: {
    opened: "Begonnen",
    openedHint: "Unterhaltungen, die begonnen haben",
    resolved: "Gelöst",
    firstResponse: "Erste Antwort",
    resolution: "Lösung",
    resolvedHint: "Unterhaltungen, die gelöst wurden",
    forEvery100Opened: (share: number) => `${share} je 100 begonnene`,
    nothingMeasured: "noch nichts gemessen",
    median90Within: (span: string) => `Median · 90 % binnen ${span}`,
  },
} satisfies typeof en;
