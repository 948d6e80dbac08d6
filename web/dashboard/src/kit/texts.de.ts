import type { texts as en } from "./texts";

export const locale = "de-DE";

export const texts = {
  badge: {
    removeTheLabel: (name: string) => `Label ${name} entfernen`,
  },

  combobox: {
    typeToSearch: "Zum Suchen tippen",
    searching: "Suche läuft …",
    nothingFound: "Nichts gefunden",
  },

  copyField: {
    copied: "Kopiert",
    copy: "Kopieren",
    shownOnce: "Dieser Wert wird nur einmal angezeigt. Bewahren Sie ihn sicher auf.",
  },

  dialog: {
    close: "Schließen",
    cancel: "Abbrechen",
  },

  field: {
    optional: "(optional)",
    clearTheSearch: "Suche leeren",
  },

  formDialog: {
    cancel: "Abbrechen",
  },

  leave: {
    discardUnsavedChanges: "Nicht gespeicherte Änderungen verwerfen?",
    discard: "Verwerfen",
    unsaved: "Ihre Änderungen auf dieser Seite sind noch nicht gespeichert.",
  },

  picker: {
    search: "Suchen",
    add: (typed: string) => `„${typed}“ hinzufügen`,
    nothingFound: "Nichts gefunden",
  },

  states: {
    tryAgain: "Erneut versuchen",
    loading: "Wird geladen …",
    notLoaded: "Das konnte nicht geladen werden",
  },

  toast: {
    notifications: "Benachrichtigungen",
    closeTheNotification: "Benachrichtigung schließen",
  },

  kbd: {
    ctrl: "Strg",
  },

  time: {
    now: "jetzt",
    seconds: (count: number) => `${count} s`,
    minutes: (count: number) => `${count} min`,
    hours: (count: number) => `${count} h`,
    days: (count: number) => `${count} T`,
    span: (large: string, small: string | false) => (small ? `${large} ${small}` : large),
    today: "Heute",
    yesterday: "Gestern",
  },

  title: {
    parley: "Parley",
    page: (name: string) => `${name} · Parley`,
    toRead: (count: string, name: string) => `(${count}) ${name}`,
  },
} satisfies typeof en;
