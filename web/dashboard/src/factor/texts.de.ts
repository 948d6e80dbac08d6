import type { texts as en } from "./texts";

export const texts = {
  setUp: {
    scan: "Scannen Sie diesen Code mit einer Authenticator-App, etwa der Ihres Passwort-Managers oder Telefons.",
    qrCode: "QR-Code des zweiten Faktors",
    orType: "Oder geben Sie diesen Schlüssel in die App ein",
    key: "Schlüssel",
    code: "Code",
    codeHint: "Die sechs Ziffern, die die App dann zeigt.",
    codeMissing: "Geben Sie die sechs Ziffern ein, die die App zeigt",
    confirm: "Einschalten",
    over: "Das hat länger als zehn Minuten gedauert. Beginnen Sie noch einmal mit einem neuen Schlüssel.",
    loading: "Ein Schlüssel wird vorbereitet …",
  },
  recovery: {
    why: "Jeder dieser Codes meldet Sie einmal ohne die App an. Bewahren Sie sie dort auf, wo Sie sie ohne Ihr Telefon finden. Sie werden nicht noch einmal gezeigt.",
    list: "Wiederherstellungscodes",
    copy: "Alle kopieren",
    copied: "Kopiert",
    print: "Drucken",
    done: "Ich habe sie aufbewahrt",
  },
} satisfies typeof en;
