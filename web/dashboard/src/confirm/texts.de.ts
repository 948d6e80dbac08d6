import type { texts as en } from "./texts";

export const texts = {
  title: "Bestätigen Sie, dass Sie es sind",
  why: "Das ändert, wer Zugang hat, gibt ein Geheimnis heraus oder lässt sich nicht rückgängig machen. Danach werden Sie 15 Minuten lang nicht gefragt.",
  password: "Ihr Passwort",
  passwordMissing: "Geben Sie Ihr Passwort ein",
  code: "Code des zweiten Faktors",
  codeHint: "Die sechs Ziffern, die Ihre App zeigt, oder ein Wiederherstellungscode.",
  codeMissing: "Geben Sie die sechs Ziffern ein, die Ihre App zeigt, oder einen Wiederherstellungscode",
  confirm: "Bestätigen",
  cancel: "Abbrechen",
  noPassword: "Sie melden sich ohne Passwort an. Melden Sie sich ab und wieder an: Danach werden Sie 15 Minuten lang nicht gefragt.",
  signInAgain: (host: string) => `Erneut mit ${host} anmelden`,
  leaves: "Zum Anmelden verlassen Sie diese Seite und kehren danach zu ihr zurück. Was Sie hier eingegeben und nicht gespeichert haben, geht verloren.",
  tooMany: (minutes: number) => `Zu viele falsche Versuche. Versuchen Sie es in ${minutes} Min. wieder.`,
  cancelled: "Es wurde nichts geändert, weil Sie nicht bestätigt haben, dass Sie es sind.",
} satisfies typeof en;
