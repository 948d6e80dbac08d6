import type { texts as en } from "./widgettexts.texts";

export const texts = {
  title: (inbox: string) => `Texte von ${inbox}`,
  noTitle: "Texte",
  back: "Widget",
  link: "Texte",
  what: "Was der Chat selbst sagt, in jeder seiner Sprachen. Titel, Begrüßung und Antwortzeit stehen in den Einstellungen des Widgets.",
  notFound: "Postfach nicht gefunden",
  onlyWebsites: "Nur Postfächer für Websites haben Texte.",
  language: "Sprache",
  changed: (language: string, count: number) => `${language} (${count} geändert)`,
  first: "Speichern oder verwerfen Sie Ihre Änderungen, um eine andere Sprache zu wählen.",
  search: "Texte durchsuchen",
  texts: "Die Texte",
  hint: "Lassen Sie ein Feld leer, um den Text des Chats zu behalten. Platzhalter wie {name} müssen bleiben.",
  nothing: "Kein Text hat diese Wörter.",
  places: (text: string) => `Schreiben Sie dieselben Platzhalter in Klammern wie in „${text}“.`,
  save: "Speichern",
  discard: "Verwerfen",
  saved: "Texte gespeichert",
} satisfies typeof en;
