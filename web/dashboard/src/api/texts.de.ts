import type { texts as en } from "./texts";

/** The names that the pages use for the fields of requests, at the start of a sentence. */
const names: Readonly<Record<string, string>> = {
  algorithm: "Der Algorithmus",
  assigneeId: "Die zuständige Person",
  attachmentIds: "Der Anhang",
  audience: "Die Zielgruppe (aud)",
  avatarUrl: "Das Bild",
  baseUrl: "Die Adresse",
  code: "Der Code",
  color: "Die Farbe",
  companyId: "Das Unternehmen",
  contactId: "Der Kontakt",
  content: "Die Nachricht",
  currency: "Die Währung",
  current: "Das jetzige Passwort",
  customAttributes: "Die Angabe in den Attributen",
  dailyTokens: "Die Zahl der Tokens",
  dailyCost: "Der Geldbetrag",
  description: "Die Beschreibung",
  driver: "Die Verbindung",
  email: "Die E-Mail-Adresse",
  embeddingModel: "Das Modell für Embeddings",
  expiresAt: "Der letzte Tag",
  externalId: "Die Kontokennung",
  file: "Die Datei",
  fileName: "Der Dateiname",
  from: "Der erste Tag",
  greeting: "Die Begrüßung",
  hosts: "Die Angabe der Hosts",
  identifier: "Die Kennung",
  image: "Das Bild",
  inboxId: "Das Postfach",
  inboxIds: "Die Postfächer",
  industry: "Die Branche",
  inputPrice: "Der Preis",
  instructions: "Die Anweisung",
  integrationId: "Die Nummer",
  intoId: "Der Kontakt",
  issuer: "Der Aussteller",
  jwksUrl: "Die Adresse der Schlüssel",
  key: "Der Schlüssel",
  labels: "Die Auswahl der Labels",
  languages: "Die Auswahl der Sprachen",
  maxTurns: "Die Zahl der Antworten",
  memberIds: "Die Mitglieder",
  model: "Das Modell",
  name: "Der Name",
  next: "Das neue Passwort",
  origins: "Die Liste der Websites",
  outputPrice: "Der Preis",
  participants: "Die Liste der Teilnehmer",
  password: "Das Passwort",
  phone: "Die Telefonnummer",
  phoneNumber: "Die Telefonnummer",
  productId: "Das Produkt",
  productIds: "Die Produkte",
  providerId: "Der Anbieter",
  publicKey: "Der öffentliche Schlüssel",
  q: "Die Suche",
  replyTime: "Die Antwortzeit",
  role: "Die Rolle",
  secret: "Das Geheimnis",
  setUp: "Die Einrichtung",
  shopName: "Der Shop",
  shortcut: "Das Kürzel",
  teamId: "Das Team",
  title: "Der Titel",
  to: "Der letzte Tag",
  tone: "Der Ton",
  website: "Die Website",
};

const byCode: Readonly<Record<string, string>> = {
  too_large: "Die Datei oder der Text ist zu groß.",
  internal: "Der Server hat ein Problem. Versuchen Sie es gleich noch einmal.",
  unavailable: "Der Server hat ein Problem. Versuchen Sie es gleich noch einmal.",
  upstream_failed: "Das Nachrichtennetz hat ein Problem. Versuchen Sie es gleich noch einmal.",
  upstream_timeout: "Das Nachrichtennetz hat nicht geantwortet. Versuchen Sie es gleich noch einmal.",
  unsupported_media_type: "Der Server nimmt Dateien dieser Art nicht an.",
  idempotency_mismatch: "Das wurde schon mit anderem Inhalt gesendet. Laden Sie die Seite neu, und versuchen Sie es erneut.",
  in_progress: "Das wird schon ausgeführt. Laden Sie die Seite gleich neu.",
};

const otherwiseByCode: Readonly<Record<string, string>> = {
  invalid: "Einer der Werte ist nicht gültig.",
  unauthenticated: "Ihre Sitzung ist beendet. Melden Sie sich wieder an.",
  forbidden: "Sie dürfen das nicht tun.",
  unconfirmed: "Bestätigen Sie zuerst, dass Sie es sind.",
  not_found: "Das gibt es nicht mehr.",
  conflict: "Das wurde inzwischen geändert. Laden Sie die Seite neu, und versuchen Sie es erneut.",
};

const phone = "Geben Sie die Telefonnummer mit der Landesvorwahl ein, etwa +49 30 1234567.";

type Chosen = string | ((most: number | null) => string);

const short =
  (called: string): Chosen =>
  (most) =>
    most === null ? "" : `${called} darf höchstens ${most} Zeichen haben.`;

const website = "Geben Sie eine Adresse ein, die mit https:// oder http:// beginnt.";

const password: Chosen = (most) =>
  most === null
    ? "Leicht zu erraten: verbreitet, eine Folge oder Wiederholung, oder vor allem Ihr Name, Ihre Adresse oder der Name des Arbeitsbereichs."
    : `Das Passwort muss 12 bis ${most} Zeichen haben.`;

const refusals: Readonly<Record<string, Readonly<Record<string, Chosen>>>> = {
  invalid: {
    attachmentIds: (most) => (most === null ? "Dateien können hier nicht gesendet werden, nur Text." : `Hängen Sie höchstens ${most} verschiedene Dateien an.`),
    avatarUrl: website,
    content: "Die Nachricht darf nicht leer sein und nicht länger als 64 KB.",
    code: "Dieser Code ist falsch, abgelaufen oder schon verwendet.",
    current: "Das ist nicht Ihr Passwort.",
    customAttributes: "Die Attribute sind nicht gültig oder brauchen zu viel Platz.",
    description: short("Die Beschreibung"),
    email: "Geben Sie eine gültige E-Mail-Adresse ein.",
    externalId: short("Die Kontokennung"),
    expiresAt: "Wählen Sie einen Tag in der Zukunft.",
    file: "Wählen Sie eine Datei, die nicht leer ist. Bilder müssen PNG-, JPEG-, GIF- oder WEBP-Dateien sein.",
    greeting: short("Die Begrüßung"),
    identifier: short("Die Kennung"),
    image: website,
    industry: short("Die Branche"),
    from: "Der erste Tag darf nicht in der Zukunft liegen und nicht zu lange vor dem letzten.",
    intoId: (most) => (most === null ? "Wählen Sie einen anderen Kontakt." : "Die Attribute beider Kontakte sind zu groß, um sie zusammenzuführen."),
    mentions: (most) => (most === null ? "Nur eine Notiz kann Mitglieder nennen." : `Eine Notiz kann höchstens ${most} Mitglieder nennen.`),
    messageId: (most) => (most === null ? "Wählen Sie eine spätere Nachricht als die erste." : `Wählen Sie eine der neuesten ${most} Nachrichten.`),
    name: (most) => (most === null ? "Wählen Sie einen anderen Namen." : `Der Name muss 1 bis ${most} Zeichen haben und darf nicht leer sein.`),
    next: password,
    password,
    phone: (most) => (most === null ? "" : phone),
    phoneNumber: phone,
    productId: "Wählen Sie ein aktives Produkt.",
    q: "Suchen Sie nach einem Buchstaben oder einer Ziffer. Operatoren sehen aus wie is:open, has:file oder before:2026-11-23.",
    scopes: "Wählen Sie, was der Schlüssel tun darf.",
    replyTime: short("Die Antwortzeit"),
    shopName: short("Der Shop"),
    title: short("Der Titel"),
    website,
    shortcut: "Das Kürzel muss aus 1 bis 32 Kleinbuchstaben ohne Akzente, Ziffern, Binde- oder Unterstrichen bestehen.",
    to: "Der letzte Tag darf nicht vor dem ersten liegen.",
  },
  not_found: {
    attachmentIds: "Eine Datei ist nicht mehr auf dem Server. Hängen Sie sie erneut an.",
    mentions: "Ein Mitglied, das die Notiz nennt, ist nicht mehr dabei.",
    messageId: "Die Nachricht ist nicht mehr in dieser Unterhaltung.",
    inboxIds: "Ein Postfach ist nicht mehr zu finden. Öffnen Sie das Formular erneut.",
    memberIds: "Ein Mitglied hat den Arbeitsbereich verlassen. Öffnen Sie das Formular erneut.",
    phone: "Die Nummer ist nicht mehr in der Gruppe.",
    productIds: "Ein Produkt ist nicht mehr zu finden. Öffnen Sie das Formular erneut.",
    teamId: "Das Team ist nicht mehr zu finden.",
  },
  conflict: {
    attachmentIds: "Eine Datei gehört schon zu einer anderen Nachricht.",
    identifier: "Die Kennung kam mit einer signierten Identität und muss so bleiben.",
    ifLastMessageId: "Die Unterhaltung hat eine neue Nachricht. Lesen Sie sie zuerst.",
    ifStatus: "Die Unterhaltung hat jetzt einen anderen Status. Laden Sie die Seite neu.",
    name: "Dieser Name ist schon vergeben.",
    phone: "Der Arbeitsbereich hat diese Nummer schon.",
    shortcut: "Ein anderer Textbaustein hat dieses Kürzel.",
  },
};

const taken: Readonly<Record<string, string>> = {
  email: "Ein anderer Kontakt hat diese E-Mail-Adresse.",
  externalId: "Ein anderes Unternehmen hat diese Kontokennung.",
  identifier: "Ein anderer Kontakt hat diese Kennung.",
  phoneNumber: "Ein anderer Kontakt hat diese Telefonnummer.",
};

export const texts = {
  serversWords: false,
  names,
  oneOfTheValues: "Einer der Werte",
  byCode,
  otherwiseByCode,
  refusals,
  taken,
  thisValue: "Dieser Wert",
  cannotBeUsed: (called: string) => `${called} kann nicht verwendet werden.`,
  cannotBeFound: (called: string) => `${called} ist nicht mehr zu finden.`,
  otherwise: "Das hat nicht funktioniert. Laden Sie die Seite neu, und versuchen Sie es erneut.",
  unreachable: "Der Server ist nicht erreichbar. Prüfen Sie die Verbindung, und versuchen Sie es erneut.",
  notUploaded: "Die Datei ist zu groß, oder der Server ist nicht erreichbar.",
  tooMany: (retryAfter: number | null) => (retryAfter ? `Zu viele Anfragen. Versuchen Sie es in ${waitText(retryAfter)} erneut.` : "Zu viele Anfragen. Versuchen Sie es gleich noch einmal."),
} satisfies typeof en;

function waitText(seconds: number): string {
  return seconds < 90 ? `${seconds} Sekunden` : `${Math.ceil(seconds / 60)} Minuten`;
}
