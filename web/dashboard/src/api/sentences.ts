// Refusals as people read them: sentences in their words, never field names,
// codes or addresses of the API.
import { texts } from "./texts";

interface Refusal {
  status: number;
  message: string;
  fields: Readonly<Record<string, string>>;
  retryAfter: number | null;
}

/** Technical rules, and how a person would say them. The first match counts. */
const rules: readonly (readonly [RegExp, (found: RegExpExecArray) => string])[] = [
  [/^must be at most (\d+) bytes/, ([, bytes]) => texts.rules.mostBytes(Math.floor(Number(bytes) / (1 << 20)))],
  [/^must be (?:an? )?(?:UUID|array|object|string|boolean|JSON|id\b)/i, () => texts.rules.invalid],
  [/^must be one of /, () => texts.rules.noChoice],
  [/^must be given/, () => texts.rules.missing],
  [/^no such /, () => texts.rules.gone],
];

/** A rule about one input, as shown below its field. */
export function ruleText(rule: string): string {
  for (const [pattern, say] of rules) {
    const found = pattern.exec(rule);
    if (found) return say(found);
  }
  return rule;
}

/** What only programs understand: field names, addresses, terms of the API. */
const technical = /[a-z][A-Z]|_|\/v1\/|\b(?:UUID|JSON|API|HTTP|body|scope|header|query|cursor)\b/;

/** The refusal as sentences. */
export function sentenceOf({ status, message, fields, retryAfter }: Refusal): string {
  if (status === 0) return message;
  if (status === 413) return texts.tooLarge;
  if (status === 429) return texts.tooMany(retryAfter);
  if (status >= 500) return texts.serverFails;
  const parts = Object.entries(fields).map(([name, rule]) => `${texts.names[name] ?? texts.oneOfTheValues} ${ruleText(rule)}.`);
  if (parts.length > 0 && !parts.some((part) => technical.test(part))) return [...new Set(parts)].join(" ");
  if (parts.length === 0 && message !== "" && !technical.test(message)) return sentence(message);
  return texts.byStatus[status] ?? texts.otherwise;
}

/** "must be a name" becomes "Must be a name." below a field. */
export function sentence(text: string): string {
  const upper = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(upper) ? upper : `${upper}.`;
}
