import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { SimulatedAnswer } from "../api/types";
import { changeOf, keep, kept, simulate, type Setup } from "./simulate";

const answer = (id: string, kind: SimulatedAnswer["kind"], article = "", more: Partial<SimulatedAnswer> = {}): SimulatedAnswer => ({
  conversationId: id,
  askedAt: "2026-11-20T08:15:30.123Z",
  question: "?",
  human: null,
  kind,
  reason: null,
  text: "",
  draft: null,
  sources: article ? [{ articleId: article, language: "en", title: article, slug: article, linked: false }] : [],
  tokens: 0,
  ...more,
});
const setup: Setup = { product: "p", days: 90, tokens: 0 };

const stored = new Map<string, string>();
beforeEach(() => {
  vi.stubGlobal("window", { localStorage: { getItem: (key: string) => stored.get(key) ?? null, setItem: (key: string, text: string) => stored.set(key, text) } });
});
afterEach(() => {
  stored.clear();
  vi.unstubAllGlobals();
});

/** Answers each request with the next page, and returns the bodies of the requests. */
function serve(...pages: SimulatedAnswer[][]) {
  const asked: unknown[] = [];
  const fetched = vi.fn((path: string, init: { body: string }) => {
    asked.push({ cursor: path.split("=")[1], ...(JSON.parse(init.body) as object) });
    const n = asked.length;
    return Promise.resolve(new Response(JSON.stringify({ data: pages[n - 1], has_more: n < pages.length, next_cursor: n < pages.length ? `c${n}` : "" })));
  });
  vi.stubGlobal("fetch", fetched);
  return asked;
}

test("a simulation follows the cursor to its end", async () => {
  const asked = serve([answer("a", "cards")], [], [answer("b", "hand_over")]);
  const told: string[] = [];
  expect(await simulate(setup, new AbortController().signal, (answers) => told.push(...answers.map(({ conversationId }) => conversationId)))).toBe("done");
  expect(told).toEqual(["a", "b"]);
  expect(asked).toMatchObject([{ cursor: "", noModel: true, limit: 25 }, { cursor: "c1" }, { cursor: "c2" }]);
});

test("a simulation with a model uses at most its tokens", async () => {
  const asked = serve([answer("a", "answer", "x", { tokens: 700 })], [answer("b", "answer", "x", { tokens: 200 }), answer("c", "hand_over", "", { reason: "budget" })], [answer("d", "answer")]);
  const told: string[] = [];
  const end = await simulate({ ...setup, tokens: 1000 }, new AbortController().signal, (answers) => told.push(...answers.map(({ conversationId }) => conversationId)));
  expect([end, told.join("")]).toEqual(["tokens", "ab"]);
  expect(asked).toMatchObject([
    { noModel: false, maxTokens: 1000 },
    { noModel: false, maxTokens: 300 },
  ]);
});

test("results are compared with those before, of the same product and the same way", () => {
  expect(kept(setup)).toBeNull();
  keep(setup, "2026-11-20T08:15:30.123Z", [answer("a", "hand_over"), answer("b", "cards", "x"), answer("c", "answer", "x"), answer("d", "cards", "x"), answer("e", "hand_over")]);
  const before = kept(setup);
  expect(before?.at).toBe("2026-11-20T08:15:30.123Z");
  expect(kept({ ...setup, tokens: 1 })).toBeNull();
  expect(kept({ ...setup, product: "q" })).toBeNull();
  const now = [answer("a", "cards", "x"), answer("b", "suggestion", "x"), answer("c", "cards", "y"), answer("d", "answer", "x"), answer("e", "clarify"), answer("f", "cards")];
  expect(now.map((one) => changeOf(one, before))).toEqual(["gained", "lost", "changed", "same", "same", "new"]);
  expect(now.map((one) => changeOf(one, null))).toEqual(["new", "new", "new", "new", "new", "new"]);
});
