// What people read of a refusal: sentences in their words, never the names of
// members, codes or addresses of the API.

interface Refusal {
  status: number;
  message: string;
  fields: Readonly<Record<string, string>>;
  retryAfter: number | null;
}

/** How the members that requests have are called on the pages. */
const names: Record<string, string> = {
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

/** Rules that read like a machine's, and how a person says them. The first that fits counts. */
const rules: readonly (readonly [RegExp, (found: RegExpExecArray) => string])[] = [
  [/^must be at most (\d+) bytes/, ([, bytes]) => `must not be larger than ${Math.floor(Number(bytes) / (1 << 20))} MB`],
  [/^must be (?:an? )?(?:UUID|array|object|string|boolean|JSON|id\b)/i, () => "is not valid"],
  [/^must be one of /, () => "is not one of the choices"],
  [/^must be given/, () => "is missing"],
  [/^no such /, () => "no longer exists"],
];

/** A rule about one input, as it is said below its field. */
export function ruleText(rule: string): string {
  for (const [pattern, say] of rules) {
    const found = pattern.exec(rule);
    if (found) return say(found);
  }
  return rule;
}

/** What only programs understand: names of members, addresses, words of the API. */
const technical = /[a-z][A-Z]|_|\/v1\/|\b(?:UUID|JSON|API|HTTP|body|scope|header|query|cursor)\b/;

/** The refusal as sentences. */
export function sentenceOf({ status, message, fields, retryAfter }: Refusal): string {
  if (status === 0) return message;
  if (status === 413) return "The file or text is too large.";
  if (status === 429) return retryAfter ? `Too many requests. Try again in ${waitText(retryAfter)}.` : "Too many requests. Try again in a moment.";
  if (status >= 500) return "The server has a problem. Try again in a moment.";
  const parts = Object.entries(fields).map(([name, rule]) => `${names[name] ?? "One of the values"} ${ruleText(rule)}.`);
  if (parts.length > 0 && !parts.some((part) => technical.test(part))) return [...new Set(parts)].join(" ");
  if (parts.length === 0 && message !== "" && !technical.test(message) && !message.startsWith("The server answered")) return sentence(message);
  return byStatus[status] ?? "This did not work. Reload the page and try again.";
}

const byStatus: Record<number, string> = {
  400: "One of the values is not valid.",
  401: "Your session has ended. Sign in again.",
  403: "You are not allowed to do this.",
  404: "It no longer exists.",
  409: "It has changed meanwhile. Reload the page and try again.",
};

function waitText(seconds: number): string {
  return seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
}

/** "must be a name" reads as "Must be a name." below a field. */
export function sentence(text: string): string {
  const upper = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(upper) ? upper : `${upper}.`;
}
