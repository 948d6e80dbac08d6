// Questions without an answer: what the server counted by week and place is one
// line for each question.
import type { KnowledgeGap } from "../../../shared/api.gen";
import { locale } from "../kit/texts";

/** A question about the same, in all weeks and wherever it was asked. */
export interface Question {
  key: string;
  productId: string | null;
  language: string;
  words: string;
  sample: string;
  count: number;
  lastAt: string;
  sources: readonly KnowledgeGap["source"][];
}

/** The questions, most asked first. */
export function questionsOf(gaps: readonly KnowledgeGap[]): Question[] {
  const byKey = new Map<string, Question>();
  for (const { productId, language, words, sample, questions, lastAt, source } of gaps) {
    const key = `${productId ?? ""} ${language} ${words}`;
    const known = byKey.get(key);
    if (!known) {
      byKey.set(key, { key, productId, language, words, sample, count: questions, lastAt, sources: [source] });
      continue;
    }
    const newer = lastAt > known.lastAt;
    byKey.set(key, {
      ...known,
      sample: newer ? sample : known.sample,
      lastAt: newer ? lastAt : known.lastAt,
      count: known.count + questions,
      sources: known.sources.includes(source) ? known.sources : [...known.sources, source],
    });
  }
  return [...byKey.values()].sort((a, b) => b.count - a.count || (a.lastAt < b.lastAt ? 1 : -1));
}

const week = 7 * 24 * 3600_000;
/** 5 January 1970, a Monday. */
const monday = 4 * 24 * 3600_000;

/** The starts of the last weeks in UTC, this one first. */
export function lastWeeks(now: number, count: number): string[] {
  const start = Math.floor((now - monday) / week) * week + monday;
  return Array.from({ length: count }, (_, n) => new Date(start - n * week).toISOString());
}

/** The day on which a week begins, which is the same for everybody. */
export function weekName(start: string): string {
  return new Date(start).toLocaleDateString(locale, { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });
}

/** A title for the article that is missing. */
export function titleOf(sample: string): string {
  return Array.from(sample.replaceAll("…", " ").replace(/\s+/g, " ").trim()).slice(0, 200).join("");
}

/** The phrase by which customers find it, if it is one. */
export function keywordsOf(sample: string): string[] {
  const phrase = titleOf(sample).replace(/[?!.\s]+$/, "");
  return phrase !== "" && Array.from(phrase).length <= 100 ? [phrase] : [];
}
