import type { texts as en } from "./texts";

export const texts = {
  title: "Arbeitsbereich einrichten",
  lead: "Vier kurze Schritte, und Kunden können Ihnen schreiben. Sie können jeden überspringen und später wiederkommen.",
  progress: (done: number, of: number) => `${done} von ${of} erledigt`,
  done: "Erledigt",
  skip: "Überspringen",
  next: "Weiter",
  finish: "Zum Posteingang",
  finishEarly: "Rest überspringen",
  allDone: "Alles ist eingerichtet",
  allDoneText: "Ihre ersten Kunden können schreiben. Neue Konversationen erscheinen im Posteingang.",
  change: (step: string) => `Öffnen: ${step}`,

  names: {
    title: "Wer Sie sind",
    workspace: "Name Ihres Unternehmens",
    workspaceHint: "Kunden lesen ihn im Chat.",
    own: "Ihr eigener Name",
    ownHint: "Kunden sehen ihn neben Ihren Antworten.",
    summary: (workspace: string, own: string) => `${workspace} · ${own}`,
  },

  site: {
    title: "Den Chat auf Ihre Website setzen",
    how: "Kopieren Sie diese Zeile in Ihre Website, direkt vor das schließende </body>. Öffnen Sie dann die Website.",
    tag: "Tag für Ihre Website",
    inbox: "Website",
    waiting: "Warten auf den ersten Aufruf …",
    waitingHint: "Diese Seite bemerkt ihn innerhalb von Sekunden.",
    seen: (host: string) => `Gesehen auf ${host}`,
    seenAnywhere: "Gesehen auf einer Seite, die ihre Website nicht genannt hat",
    allow: "Den Chat nur auf dieser Website erlauben",
    allowed: (host: string) => `Nur ${host} zeigt jetzt den Chat.`,
    design: "Farben und Begrüßung ändern",
  },

  message: {
    title: "Eine erste Nachricht empfangen",
    how: "Öffnen Sie den Chat auf Ihrer Website und schreiben Sie etwas, wie es ein Kunde täte. Es erscheint hier.",
    waiting: "Warten auf die erste Nachricht …",
    from: (name: string) => `${name} schrieb`,
    answer: "Beantworten",
  },

  invite: {
    title: "Einen Kollegen einladen",
    how: "Die Person bekommt einen Link zum Beitreten. Er gilt einmal und sieben Tage lang.",
    email: "E-Mail-Adresse der Person",
    role: "Rolle",
    create: "Link erstellen",
    link: (email: string) => `Link für ${email}`,
    another: "Weitere Person einladen",
    invited: (names: readonly string[]) => `Eingeladen: ${names.join(", ")}`,
    members: (count: number) => `${count} Mitglieder`,
  },
} satisfies typeof en;
