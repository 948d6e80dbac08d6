import type { texts as en } from "./texts";

export const texts = {
  frame: {
    parley: "Parley",
    needsHttps: "Diese Seite benötigt HTTPS.",
    whyHttps:
      "Browser speichern das Cookie der Sitzung nur auf sicheren Seiten und auf localhost. Öffnen Sie das Dashboard unter seiner https-Adresse; das Betriebshandbuch erklärt, wie man sie einrichtet.",
  },

  invitePage: {
    linkEnded: "Dieser Link funktioniert nicht mehr",
    whyEnded: "Er wurde verwendet, zurückgezogen oder ist abgelaufen",
    signIn: "Anmelden",
    askAnAdmin: "Bitten Sie einen Admin des Arbeitsbereichs um einen neuen.",
    invitation: "Einladung",
    newPasswordTitle: "Neues Passwort festlegen",
    join: (name: string) => `${name} beitreten`,
    yourName: "Ihr Name",
    nameHint: "Kunden und Kollegen sehen ihn.",
    newPassword: "Neues Passwort",
    password: "Passwort",
    passwordHint: "Mindestens 12 Zeichen; kein verbreitetes Passwort, kein Name, keine Adresse.",
    repeatPassword: "Passwort wiederholen",
    savePassword: "Passwort festlegen",
    joinNow: "Beitreten",
    yourNameIsMissing: "Ihr Name fehlt; Kunden sehen ihn",
    shortPassword: "Mindestens 12 Zeichen",
    differentPasswords: "Die Passwörter stimmen nicht überein",
    resetFor: (email: string) => `Für ${email}. Überall sonst werden Sie abgemeldet.`,
    youWereInvitedAs: (email: string) => `Sie wurden als ${email} eingeladen.`,
  },

  secondStep: {
    title: "Zweiter Schritt",
    lead: (workspace: string) => (workspace ? `Geben Sie den Code ein, den Ihre Authenticator-App für ${workspace} zeigt.` : "Geben Sie den Code ein, den Ihre Authenticator-App zeigt."),
    leadRecovery: "Geben Sie einen Ihrer Wiederherstellungscodes ein. Er gilt einmal.",
    code: "Code",
    recoveryCode: "Wiederherstellungscode",
    noCode: "Der Code fehlt",
    signIn: "Anmelden",
    useARecoveryCode: "Wiederherstellungscode verwenden",
    useTheApp: "App verwenden",
    back: "Zurück zum Passwort",
    lost: "Telefon und Wiederherstellungscodes verloren? Ein Admin Ihres Arbeitsbereichs kann Ihren zweiten Faktor zurücksetzen.",
    expired: "Ihre Anmeldung ist abgelaufen. Gehen Sie zurück und geben Sie Ihr Passwort noch einmal ein.",
    setUpTitle: "Zweiten Faktor einrichten",
    required: (workspace: string) => `${workspace || "Der Arbeitsbereich"} verlangt ihn von allen Mitgliedern.`,
    keepCodes: "Bewahren Sie Ihre Wiederherstellungscodes auf",
  },

  signInPage: {
    signIn: "Anmelden",
    kept: (waiting: number) =>
      waiting === 1
        ? "Ihre letzte Nachricht wird hier aufbewahrt und gesendet, sobald Sie sich wieder anmelden."
        : `${waiting} Nachrichten werden hier aufbewahrt und gesendet, sobald Sie sich wieder anmelden.`,
    eMail: "E-Mail",
    password: "Passwort",
    forgotPassword: "Passwort vergessen? Ein Admin Ihres Arbeitsbereichs kann Ihnen einen Link geben, mit dem Sie ein neues festlegen. Das erste Konto gibt der Server beim Start aus.",
    sendLink: "Link für ein neues Passwort senden",
    writeEMail: "Geben Sie zuerst oben Ihre E-Mail-Adresse ein.",
    onItsWay: (email: string) => `Wenn ${email} zu einem Mitglied gehört, ist ein Link unterwegs. Er gilt einen Tag.`,
    noMail: "Dieser Server sendet keine Mails.",
    chooseAWorkspace: "Arbeitsbereich wählen",
    useAnotherAccount: "Anderes Konto verwenden",
    noEMail: "Ihre E-Mail-Adresse fehlt",
    noPassword: "Ihr Passwort fehlt",
    toYourTeamsConversations: "Melden Sie sich bei den Unterhaltungen Ihres Teams an.",
    wrong: "E-Mail oder Passwort ist falsch.",
    tooManyAttempts: (minutes: number) => `Zu viele Versuche. Versuchen Sie es in ${minutes} min erneut.`,
    severalWorkspaces: (email: string) => `${email} gehört zu mehreren Arbeitsbereichen.`,
  },
} satisfies typeof en;
