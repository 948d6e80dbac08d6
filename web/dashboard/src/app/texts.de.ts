import type { texts as en } from "./texts";

export const texts = {
  app: {
    notLoaded: "Das Dashboard konnte nicht geladen werden",
    loading: "Wird geladen …",
  },

  boundary: {
    somethingWentWrong: "Auf dieser Seite ist ein Fehler aufgetreten",
    reloadThePage: "Seite neu laden",
  },

  notFound: {
    notFound: "Nicht gefunden",
    pageNotFound: "Seite nicht gefunden",
    toTheInbox: "Zum Posteingang",
    whyNotFound: "Die Adresse enthält vielleicht einen Tippfehler, oder die Seite ist umgezogen.",
  },
} satisfies typeof en;
