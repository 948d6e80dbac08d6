// Texts of refusals: sentences in people's words, never field names, codes or
// addresses of the API. English is the first catalogue; another language is an
// object of the same type.

/** The names that the pages use for the fields of requests. */
const names: Readonly<Record<string, string>> = {
  assigneeId: "The assignee",
  attachmentIds: "The attached files",
  avatarUrl: "The picture",
  companyId: "The company",
  contactId: "The contact",
  content: "The message",
  customAttributes: "The attributes",
  email: "The e-mail address",
  externalId: "The account id",
  file: "The file",
  fileName: "The file name",
  identifier: "The id",
  image: "The picture",
  inboxId: "The inbox",
  integrationId: "The number",
  intoId: "The contact",
  labels: "The labels",
  name: "The name",
  origins: "The websites",
  participants: "The participants",
  password: "The password",
  phone: "The phone number",
  phoneNumber: "The phone number",
  productId: "The product",
  shortcut: "The shortcut",
  shopName: "The shop",
  website: "The website",
};

const byStatus: Readonly<Record<number, string>> = {
  400: "One of the values is not valid.",
  401: "Your session has ended. Sign in again.",
  403: "You are not allowed to do this.",
  404: "It no longer exists.",
  409: "It has changed in the meantime. Reload the page and try again.",
};

export const texts = {
  names,
  oneOfTheValues: "One of the values",
  byStatus,
  otherwise: "This did not work. Reload the page and try again.",
  unreachable: "The server cannot be reached. Check the connection and try again.",
  notUploaded: "The file is too large, or the server cannot be reached.",
  tooLarge: "The file or text is too large.",
  tooMany: (retryAfter: number | null) => (retryAfter ? `Too many requests. Try again in ${waitText(retryAfter)}.` : "Too many requests. Try again in a moment."),
  serverFails: "The server has a problem. Try again in a moment.",

  /** Technical rules, as a person would say them after the name of the field. */
  rules: {
    mostBytes: (megabytes: number) => `must not be larger than ${megabytes} MB`,
    invalid: "is not valid",
    noChoice: "is not one of the choices",
    missing: "is missing",
    gone: "no longer exists",
  },
};

function waitText(seconds: number): string {
  return seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
}
