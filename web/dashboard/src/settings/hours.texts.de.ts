import type { texts as en } from "./hours.texts";

export const texts = {
  title: (inbox: string) => `Bürozeiten von ${inbox}`,
  noTitle: "Bürozeiten",
  back: "Widget",
  link: "Bürozeiten",
  what: "Solange niemand da ist, sagt der Chat den Besuchern, wann wieder jemand da ist, in ihrer eigenen Zeitzone.",
  notFound: "Postfach nicht gefunden",
  onlyWebsites: "Nur Postfächer für Websites haben Bürozeiten.",
  shown: "Im Chat zeigen, wann wieder jemand da ist",
  shownHint: "Sonst sehen Besucher zu jeder Stunde die Antwortzeit des Widgets.",
  zone: "Zeitzone",
  week: "Woche",
  weekHint: "Zum Beispiel 9–17 oder 9:00–12:30, 13:30–18:00. Lassen Sie einen Tag leer, an dem niemand da ist.",
  closed: "Geschlossen",
  holidays: "Feiertage",
  holidaysHint: "Tage, an denen niemand da ist, einer je Zeile, zum Beispiel 2026-12-25.",
  save: "Speichern",
  discard: "Verwerfen",
  saved: "Bürozeiten gespeichert",
  wrongDay: "Schreiben Sie Zeiten wie 9:00–17:00, höchstens vier, die sich nicht überschneiden.",
  wrongDate: (line: string) => `„${line}“ ist kein Datum wie 2026-12-25.`,
} satisfies typeof en;
