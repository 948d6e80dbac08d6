// The words of the chat in the language of its customer. A language is a file of the
// server (internal/words/chat), loaded before the chat is drawn. {name} and its like are
// places for values, and a text that depends on a number has a form for each plural of
// the language (CLDR).
import { backoff, pause } from "../../../shared/retry";
import type english from "../../../../internal/words/chat/en.json";
import { pauses } from "./api";

export type Catalogue = typeof english;
type Key = Exclude<keyof Catalogue, `${string}.${"one" | "other"}`>;
type CountedKey = { [K in keyof Catalogue]: K extends `${infer Base}.other` ? Base : never }[keyof Catalogue];

/** The languages that there are words in. The first is used where nobody knows better. */
export const languages: readonly string[] = ["en", "de", "fr", "es", "it", "pt", "nl", "pl", "tr", "sv", "da", "cs", "ar", "he"];

const fromRightToLeft: readonly string[] = ["ar", "he"];

/** What the chat speaks: the language of its words, and the same with a region for dates and numbers. */
export interface Tongue {
  language: string;
  locale: string;
  dir: "ltr" | "rtl";
  /** What articles are asked for in: the same, or what was wanted if there are no words in it. */
  articles: string;
}

let words: Readonly<Record<string, string>> = {};
let tongue: Tongue = tongueOf([]);

/**
 * The first of the wanted languages (BCP 47) that there are words in. A language without a region gets that of the
 * browser, if the browser names one.
 */
export function tongueOf(wanted: readonly string[], browser: readonly string[] = []): Tongue {
  for (const one of [...wanted, ...browser]) {
    const language = primaryOf(one);
    if (!languages.includes(language)) continue;
    const named = one.includes("-") ? [one, ...browser] : [...browser, one];
    const locale = named.find((other) => primaryOf(other) === language && wellFormed(other)) ?? language;
    return { language, locale, dir: fromRightToLeft.includes(language) ? "rtl" : "ltr", articles: locale };
  }
  const [first = ""] = languages;
  return { language: first, locale: first, dir: "ltr", articles: [...wanted, ...browser].find((one) => one !== "") ?? "" };
}

function primaryOf(tag: string): string {
  return (/^[a-z]+/i.exec(tag)?.[0] ?? "").toLowerCase();
}

function wellFormed(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0;
  } catch {
    return false;
  }
}

/** Loads the words of a language. It retries while the server is away. */
export async function wordsOf(language: string): Promise<Readonly<Record<string, string>>> {
  for (let failures = 0; ; failures++) {
    try {
      const response = await fetch(`/widget/assets/text.${language}.json`, { credentials: "omit" });
      if (response.ok) return (await response.json()) as Record<string, string>;
    } catch {
      // As an answer of a load balancer.
    }
    await pause(backoff(pauses, failures));
  }
}

/** Speaks a language from now on. */
export function speak(to: Tongue, loaded: Readonly<Record<string, string>>) {
  tongue = to;
  words = loaded;
}

export function spoken(): Tongue {
  return tongue;
}

/** A text with its values. Those in a text from right to left are isolated, as they may be of another direction. */
export function phrase(key: Key, values: Record<string, string | number> = {}): string {
  return filled(words[key] ?? "", values);
}

/** A text that depends on a number, its value n. */
export function counted(key: CountedKey, n: number): string {
  const form = new Intl.PluralRules(tongue.locale).select(n);
  return filled(words[`${key}.${form}`] ?? words[`${key}.other`] ?? words[`${key}.many`] ?? "", { n });
}

function filled(pattern: string, values: Record<string, string | number>): string {
  const shown = (name: string) => {
    const value = values[name];
    if (value === undefined) return `{${name}}`;
    const own = typeof value === "number" ? number(value) : value;
    return tongue.dir === "rtl" ? `\u2068${own}\u2069` : own;
  };
  // Every other part is the name of a place.
  const parts = pattern.split(/[{}]/);
  return parts.map((part, index) => (index % 2 === 1 ? shown(part) : part)).join("");
}

export function number(n: number): string {
  return new Intl.NumberFormat(tongue.locale).format(n);
}

/** "Ann, Ben and Cem" */
export function listed(names: readonly string[]): string {
  return new Intl.ListFormat(tongue.locale).format(names);
}

/** "999 byte", "1.2 MB" */
export function size(bytes: number): string {
  const [unit, amount] = bytes < 1000 ? ["byte", bytes] : bytes < 1_000_000 ? ["kilobyte", Math.round(bytes / 1000)] : ["megabyte", bytes / 1_000_000];
  return new Intl.NumberFormat(tongue.locale, { style: "unit", unit, unitDisplay: "short", maximumFractionDigits: 1 }).format(amount);
}
