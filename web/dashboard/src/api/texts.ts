// Texts of refusals: sentences in people's words, never field names, codes or
// addresses of the API. English is the first catalogue; another language is an
// object of the same type.

/** The names that the pages use for the fields of requests. */
const names: Readonly<Record<string, string>> = {
  algorithm: "The algorithm",
  assigneeId: "The assignee",
  attachmentIds: "The attached files",
  audience: "The audience",
  avatarUrl: "The picture",
  baseUrl: "The address",
  code: "The code",
  color: "The colour",
  companyId: "The company",
  contactId: "The contact",
  content: "The message",
  currency: "The currency",
  current: "The current password",
  customAttributes: "The attributes",
  dailyTokens: "The number of tokens",
  dailyCost: "The amount of money",
  description: "The description",
  driver: "The connection",
  email: "The e-mail address",
  embeddingModel: "The model for embeddings",
  expiresAt: "The last day",
  externalId: "The account id",
  file: "The file",
  fileName: "The file name",
  from: "The first day",
  greeting: "The greeting",
  hosts: "The hosts",
  identifier: "The id",
  image: "The picture",
  inboxId: "The inbox",
  inboxIds: "The inboxes",
  industry: "The industry",
  inputPrice: "The price",
  instructions: "The instructions",
  integrationId: "The number",
  intoId: "The contact",
  issuer: "The issuer",
  jwksUrl: "The address of the keys",
  key: "The key",
  labels: "The labels",
  languages: "The languages",
  maxTurns: "The number of answers",
  memberIds: "The members",
  model: "The model",
  name: "The name",
  next: "The new password",
  origins: "The websites",
  outputPrice: "The price",
  participants: "The participants",
  password: "The password",
  phone: "The phone number",
  phoneNumber: "The phone number",
  productId: "The product",
  productIds: "The products",
  providerId: "The provider",
  publicKey: "The public key",
  q: "The search",
  replyTime: "The reply time",
  role: "The role",
  secret: "The secret",
  setUp: "The set-up",
  shopName: "The shop",
  shortcut: "The shortcut",
  teamId: "The team",
  title: "The title",
  to: "The last day",
  tone: "The tone",
  website: "The website",
};

/** Sentences by code, whatever the field. */
const byCode: Readonly<Record<string, string>> = {
  too_large: "The file or text is too large.",
  internal: "The server has a problem. Try again in a moment.",
  unavailable: "The server has a problem. Try again in a moment.",
  upstream_failed: "The messaging network has a problem. Try again in a moment.",
  upstream_timeout: "The messaging network did not answer. Try again in a moment.",
  unsupported_media_type: "The server does not take a file of this kind.",
  idempotency_mismatch: "This was sent before, with other contents. Reload the page and try again.",
  in_progress: "This is being done already. Reload the page in a moment.",
};

/** Sentences by code, if neither the field nor the message has one for people. */
const otherwiseByCode: Readonly<Record<string, string>> = {
  invalid: "One of the values is not valid.",
  unauthenticated: "Your session has ended. Sign in again.",
  forbidden: "You are not allowed to do this.",
  unconfirmed: "Confirm first that it is you.",
  not_found: "It no longer exists.",
  conflict: "It has changed in the meantime. Reload the page and try again.",
};

const phone = "Enter the phone number with its country code, such as +49 30 1234567.";

/** A sentence, or a function that takes the largest number of the server's rule; "" shows the rule. */
type Chosen = string | ((most: number | null) => string);

/** The sentence for a text that is too long. */
const short =
  (called: string): Chosen =>
  (most) =>
    most === null ? "" : `${called} must have at most ${most} characters.`;

const website = "Enter an address that begins with https:// or http://.";

/** Sentences by code and field. */
const refusals: Readonly<Record<string, Readonly<Record<string, Chosen>>>> = {
  invalid: {
    attachmentIds: (most) => (most === null ? "Files cannot be sent here, only text." : `Attach at most ${most} different files.`),
    avatarUrl: website,
    content: "The message must not be empty, and at most 64 KB long.",
    customAttributes: "The attributes are not valid, or take too much room.",
    description: short("The description"),
    email: "Enter a valid e-mail address.",
    externalId: short("The account id"),
    expiresAt: "Choose a day in the future.",
    file: "Choose a file that is not empty. Pictures must be PNG, JPEG, GIF or WEBP files.",
    greeting: short("The greeting"),
    identifier: short("The id"),
    image: website,
    industry: short("The industry"),
    from: "The first day must not be in the future, nor too long before the last.",
    intoId: (most) => (most === null ? "Choose another contact." : "The attributes of both contacts are too large to be merged."),
    mentions: (most) => (most === null ? "Only a note can name members." : `A note can name up to ${most} members.`),
    messageId: (most) => (most === null ? "Choose a later message than the first." : `Choose one of the newest ${most} messages.`),
    name: (most) => (most === null ? "Choose another name." : `The name must be 1 to ${most} characters, not blank.`),
    phone: (most) => (most === null ? "" : phone),
    phoneNumber: phone,
    productId: "Choose an active product.",
    q: "Search for a letter or a digit. Operators look like is:open, has:file or before:2026-11-23.",
    scopes: "Choose what the key may do.",
    replyTime: short("The reply time"),
    shopName: short("The shop"),
    title: short("The title"),
    website,
    shortcut: "The shortcut must be 1 to 32 small letters without accents, digits, hyphens or underscores.",
    to: "The last day must not be before the first.",
  },
  not_found: {
    attachmentIds: "A file is not on the server any more. Attach it again.",
    mentions: "A member whom the note names has left.",
    messageId: "The message is not in this conversation any more.",
    inboxIds: "An inbox cannot be found any more. Open the form again.",
    memberIds: "A member has left the workspace. Open the form again.",
    phone: "The number is not in the group any more.",
    productIds: "A product cannot be found any more. Open the form again.",
    teamId: "The team cannot be found any more.",
  },
  conflict: {
    attachmentIds: "A file belongs to another message already.",
    identifier: "The id came with a signed identity and must stay as it is.",
    ifLastMessageId: "The conversation has a new message. Read it first.",
    ifStatus: "The conversation has another status now. Reload the page.",
    name: "Another one has this name.",
    phone: "The workspace has this number already.",
    shortcut: "Another canned answer has this shortcut.",
  },
};

/** Sentences for a conflict with another record. */
const taken: Readonly<Record<string, string>> = {
  email: "Another contact has this e-mail address.",
  externalId: "Another company has this account id.",
  identifier: "Another contact has this id.",
  phoneNumber: "Another contact has this phone number.",
};

export const texts = {
  /** Whether the server says its rules in this language. */
  serversWords: true,
  names,
  oneOfTheValues: "One of the values",
  byCode,
  otherwiseByCode,
  refusals,
  taken,
  thisValue: "This value",
  cannotBeUsed: (called: string) => `${called} cannot be used.`,
  cannotBeFound: (called: string) => `${called} cannot be found any more.`,
  otherwise: "This did not work. Reload the page and try again.",
  unreachable: "The server cannot be reached. Check the connection and try again.",
  notUploaded: "The file is too large, or the server cannot be reached.",
  tooMany: (retryAfter: number | null) => (retryAfter ? `Too many requests. Try again in ${waitText(retryAfter)}.` : "Too many requests. Try again in a moment."),
};

function waitText(seconds: number): string {
  return seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
}
