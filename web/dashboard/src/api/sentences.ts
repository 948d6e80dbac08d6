// Refusals as people read them: sentences in their words, never field names,
// codes or addresses of the API. The code and the field in the header
// Parley-Error choose the sentence. Without one, the rule from the message is
// shown, unless only programs understand it.
import { texts } from "./texts";

/** The contents of the header Parley-Error, with the rules of the fields from the message. */
export interface Refusal {
  status: number;
  code: string;
  message: string;
  fields: Readonly<Record<string, string>>;
  /** Other records that the message names. */
  ids: readonly string[];
  retryAfter: number | null;
}

/** What only programs understand: field names, addresses, ids, terms of the API. */
const technical =
  /[a-z][A-Z]|_|\/v1\/|[0-9a-f]{8}-[0-9a-f]{4}|\b(?:UUID|JSON|API|HTTP|NUL|UTF-8|body|scope|header|query|cursor|string|array|object|integer|bytes|double|null|driver|absent|no such|one of|given once|the id of)\b/;

/** The sentence of the catalogue for a field, or "" if it has none. */
function known(refusal: Refusal, name: string): string {
  if (refusal.ids.length > 0 && texts.taken[name]) return texts.taken[name];
  const chosen = texts.refusals[refusal.code]?.[name];
  if (typeof chosen !== "function") return chosen ?? "";
  const numbers = refusal.fields[name]?.match(/\d+/g) ?? [];
  return chosen(numbers.length > 0 ? Math.max(...numbers.map(Number)) : null);
}

const plainRule = (rule: string) => texts.serversWords && rule.startsWith("must ") && !technical.test(rule);

/** The text below a field, or undefined if the field is valid. */
export function fieldText(refusal: Refusal, name: string): string | undefined {
  const rule = refusal.fields[name];
  if (rule === undefined) return undefined;
  return known(refusal, name) || (plainRule(rule) ? sentence(rule) : texts.cannotBeUsed(texts.thisValue));
}

/** The text about a field in a sentence that names it. */
function partOf(refusal: Refusal, name: string, rule: string): string {
  const called = texts.names[name] ?? texts.oneOfTheValues;
  if (refusal.code === "not_found") return known(refusal, name) || texts.cannotBeFound(called);
  return known(refusal, name) || (plainRule(rule) ? `${called} ${rule}.` : texts.cannotBeUsed(called));
}

/** The refusal as sentences. */
export function sentenceOf(refusal: Refusal): string {
  const { status, code, message, fields, ids, retryAfter } = refusal;
  if (status === 0) return message;
  if (code === "limited") return texts.tooMany(retryAfter);
  const whole = texts.byCode[code];
  if (whole) return whole;
  const parts = Object.entries(fields).map(([name, rule]) => partOf(refusal, name, rule));
  if (parts.length > 0) return [...new Set(parts)].join(" ");
  if (texts.serversWords && message !== "" && ids.length === 0 && !technical.test(message)) return sentence(message);
  return texts.otherwiseByCode[code] ?? texts.otherwise;
}

/** "must be a name" becomes "Must be a name." below a field. */
export function sentence(text: string): string {
  const upper = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(upper) ? upper : `${upper}.`;
}
