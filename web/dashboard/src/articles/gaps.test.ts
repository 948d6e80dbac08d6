import { expect, test } from "vitest";
import type { KnowledgeGap } from "../../../shared/api.gen";
import { keywordsOf, lastWeeks, questionsOf, titleOf } from "./gaps";

const gap = (changes: Partial<KnowledgeGap>): KnowledgeGap => ({
  week: "2026-11-16T00:00:00.000Z",
  productId: "p",
  language: "en",
  source: "widget",
  words: "gift wrap",
  sample: "Do you wrap gifts?",
  questions: 1,
  lastAt: "2026-11-17T10:00:00.000Z",
  ...changes,
});

test("a question is one line for all weeks and places, and another product or language is another", () => {
  const all = questionsOf([
    gap({}),
    gap({ source: "help_center", sample: "Gift wrapping?", questions: 4, lastAt: "2026-11-18T10:00:00.000Z" }),
    gap({ week: "2026-11-09T00:00:00.000Z", questions: 2, lastAt: "2026-11-10T10:00:00.000Z" }),
    gap({ productId: null, questions: 9 }),
    gap({ language: "de" }),
  ]);
  expect(all.map(({ productId, language, count, sample, sources }) => [productId, language, count, sample, sources.join()])).toEqual([
    [null, "en", 9, "Do you wrap gifts?", "widget"],
    ["p", "en", 7, "Gift wrapping?", "widget,help_center"],
    ["p", "de", 1, "Do you wrap gifts?", "widget"],
  ]);
});

test("weeks begin on Mondays", () => {
  expect(lastWeeks(Date.parse("2026-11-23T00:00:00Z"), 2)).toEqual(["2026-11-23T00:00:00.000Z", "2026-11-16T00:00:00.000Z"]);
  expect(lastWeeks(Date.parse("2026-11-22T23:59:59Z"), 1)).toEqual(["2026-11-16T00:00:00.000Z"]);
});

test("what was struck is neither in the title nor in the keywords", () => {
  expect(titleOf("Where is order … of … ?")).toBe("Where is order of ?");
  expect(keywordsOf("Do you wrap gifts?")).toEqual(["Do you wrap gifts"]);
  expect(keywordsOf("…")).toEqual([]);
  expect(keywordsOf("x".repeat(101))).toEqual([]);
});
