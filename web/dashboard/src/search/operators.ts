// The operators of a search, as the server reads them: from:ann -is:resolved label:"Big Deal".
import { fold } from "../kit/fold";

export const operators = ["from", "label", "is", "in", "assignee", "team", "before", "after", "has"] as const;
export type Operator = (typeof operators)[number];

/** The values that an operator always has. */
const fixed: Partial<Record<Operator, readonly string[]>> = {
  from: ["me", "customer", "team", "bot"],
  is: ["open", "pending", "resolved", "unread", "waiting", "snoozed", "spam", "note", "unassigned", "mine"],
  assignee: ["me", "none"],
  team: ["none"],
  has: ["file"],
};

/** The names of the workspace's records that are values of an operator. */
export type Names = Partial<Record<Operator, readonly string[]>>;

/** The most values that are offered at a time. */
const mostOffered = 8;

interface Token {
  /** Where it begins in the text, and where its value does. */
  start: number;
  value: number;
  operator: Operator;
}

const isSpace = (char: string) => /^\s$/.test(char);
const isQuote = (char: string | undefined) => char !== undefined && '"“”„'.includes(char);

/** The operators of a text, each with the place after its value. */
function tokensOf(text: string): (Token & { end: number })[] {
  const found: (Token & { end: number })[] = [];
  for (let at = 0; at < text.length; at++) {
    if (isSpace(text.charAt(at))) continue;
    const start = at;
    const name = text.startsWith("-", at) ? at + 1 : at;
    const operator = operators.find((one) => text.slice(name, name + one.length + 1).toLowerCase() === `${one}:`);
    const value = operator ? name + operator.length + 1 : name;
    const quoted = operator !== undefined && isQuote(text[value]);
    at = quoted ? value + 1 : value;
    while (at < text.length && !(quoted ? isQuote(text[at]) : isSpace(text.charAt(at)))) at++;
    if (operator) found.push({ start, value, operator, end: quoted && at < text.length ? at + 1 : at });
  }
  return found;
}

/** The words of a text without its operators. */
export function wordsOf(text: string): string[] {
  let words = "";
  let from = 0;
  for (const { start, end } of tokensOf(text)) {
    words += `${text.slice(from, start)} `;
    from = end;
  }
  return splitWords(`${words}${text.slice(from)}`).map((word) => fold(word.text));
}

/** The words of a text and their places. */
export function splitWords(text: string): { text: string; at: number }[] {
  return [...text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)].map((match) => ({ text: match[0], at: match.index }));
}

/** The operator whose value is being typed at the end of a text. */
function typed(text: string): Token | undefined {
  const last = tokensOf(text).at(-1);
  const open = last && (isQuote(text[last.value]) ? last.end === text.length && !isQuote(text.at(-1)) : last.end === text.length);
  return last?.end === text.length && (open || text.length === last.value + 1) ? last : undefined;
}

/** What may follow at the end of a text: values of the operator that is being typed, or operators. */
export function offered(text: string, names: Names): { operator: Operator | null; values: readonly string[] } {
  const now = typed(text);
  if (!now) return { operator: null, values: operators.map((name) => `${name}:`) };
  const begun = fold(text.slice(now.value).replaceAll(/["“”„]/g, ""));
  const all = [...(fixed[now.operator] ?? []), ...(names[now.operator] ?? [])];
  const values = all.filter((value) => fold(value).startsWith(begun) && fold(value) !== begun);
  return { operator: now.operator, values: [...new Set(values)].slice(0, mostOffered) };
}

/** Whether a text can be searched for: not while a value is being typed that has to be one of a few, or a date. */
export function askable(text: string): boolean {
  const now = typed(text);
  if (!now) return true;
  const value = text.slice(now.value).replaceAll(/["“”„]/g, "");
  if (now.operator === "is" || now.operator === "has") return value === "" || fixed[now.operator]?.includes(value.toLowerCase()) === true;
  if (now.operator === "before" || now.operator === "after") return /^(\d{4}(-\d\d(-\d\d(T\d\d:\d\d.*)?)?)?)?$/i.test(value);
  return true;
}

/** A text with what was offered at its end. */
export function completed(text: string, offer: string): string {
  const now = typed(text);
  if (!now) return `${text}${text === "" || isSpace(text.at(-1) ?? "") ? "" : " "}${offer}`;
  return `${text.slice(0, now.value)}${/\s/.test(offer) ? `"${offer}"` : offer} `;
}
