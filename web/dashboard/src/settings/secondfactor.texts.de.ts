import type { texts as en } from "./secondfactor.texts";

export const texts = {
  own: {
    title: "Zweiter Faktor",
    description: "Ein Code einer App auf Ihrem Telefon, zusätzlich zum Passwort.",
    none: "Sie haben keinen. Wer Ihr Passwort erfährt, kann sich als Sie anmelden.",
    noneRequired: "Dieser Arbeitsbereich verlangt ihn.",
    since: (date: string, left: number) => `Eingeschaltet seit ${date}. ${left === 1 ? "1 Wiederherstellungscode ist übrig." : `${left} Wiederherstellungscodes sind übrig.`}`,
    setUp: "Einrichten",
    another: "Anderes Telefon verwenden",
    renew: "Neue Wiederherstellungscodes",
    turnOff: "Ausschalten",
    turnOffQuestion: "Zweiten Faktor ausschalten?",
    password: "Ihr Passwort",
    passwordMissing: "Ihr Passwort fehlt",
    continue: "Weiter",
    endsSessions: "Alle Ihre anderen Sitzungen enden.",
    renewEnds: "Die Codes, die Sie haben, gelten dann nicht mehr.",
    keepCodes: "Bewahren Sie Ihre Wiederherstellungscodes auf",
    on: "Der zweite Faktor ist eingeschaltet. Alle Ihre anderen Sitzungen sind beendet.",
    off: "Der zweite Faktor ist ausgeschaltet. Alle Ihre anderen Sitzungen sind beendet.",
  },
  members: {
    has: "Zweiter Faktor",
    reset: "Zweiten Faktor zurücksetzen",
    resetQuestion: (name: string) => `Zweiten Faktor von ${name} zurücksetzen?`,
    resetWhy:
      "Für ein Mitglied, das Telefon und Wiederherstellungscodes verloren hat. Die Sitzungen enden, und bis ein neuer eingerichtet ist, genügt das Passwort. Vergewissern Sie sich, dass das Mitglied selbst darum bittet.",
    isReset: (name: string) => `Der zweite Faktor von ${name} ist zurückgesetzt`,
  },
  workspace: {
    title: "Zweiter Faktor",
    description: "Ein Code einer App auf dem Telefon, zusätzlich zum Passwort.",
    require: "Jedes Mitglied braucht einen zweiten Faktor",
    requireHint: "Mitglieder ohne einen richten ihn bei der nächsten Anmeldung ein.",
    ownFirst: "Richten Sie zuerst Ihren eigenen ein, in Ihrem Profil.",
    requireQuestion: "Von allen Mitgliedern einen zweiten Faktor verlangen?",
    signedOut: (count: number) =>
      count === 1
        ? "1 Mitglied hat keinen: Die Sitzungen enden, und es kann sich nur noch anmelden, um ihn einzurichten."
        : `${count} Mitglieder haben keinen: Ihre Sitzungen enden, und sie können sich nur noch anmelden, um ihn einzurichten.`,
    requireNow: "Verlangen",
    required: "Jedes Mitglied braucht jetzt einen zweiten Faktor",
    notRequired: "Mitglieder brauchen keinen zweiten Faktor mehr",
  },
} satisfies typeof en;
