import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { LogEvent, SavedView } from "../api/types";
import type { Signal } from "./line";
import { SavedViews } from "./savedviews";
import { event } from "./world.fixture";

const path = "/v1/dashboard/views";
const listeners = new Set<() => void>();
const page = {
  hidden: false,
  addEventListener: (_: string, listener: () => void) => listeners.add(listener),
  removeEventListener: (_: string, listener: () => void) => listeners.delete(listener),
};
const show = (hidden: boolean) => {
  page.hidden = hidden;
  for (const listener of listeners) listener();
};

/** A server that has views, and adds none that it has. `answer` is what the next ones that add get instead. */
function server() {
  const views: SavedView[] = [];
  const asked: string[] = [];
  const played = { views, asked, answers: [] as ("lost" | number)[], count: (request: string) => asked.filter((one) => one === request).length };
  vi.stubGlobal("fetch", (url: string, init: RequestInit) => {
    asked.push(`${init.method ?? ""} ${url}`);
    const reply = (body: unknown, status = 200) => Promise.resolve(new Response(JSON.stringify(body), { status }));
    if (url.endsWith("view-counts")) return reply({ data: views.map(({ id }, at) => ({ id, count: at + 1, more: false })) });
    if (init.method === "GET") return reply({ data: [...views] });
    const answer = played.answers.shift();
    if (typeof answer === "number") return reply({ error: "no" }, answer);
    const { name, query } = JSON.parse(init.body as string) as SavedView;
    if (!views.some((one) => one.name === name && one.query === query)) {
      views.push({ id: `${views.length}`, name, query, scope: "own", teamId: null, ownerId: "u", position: views.length, pinned: true });
    }
    return answer === "lost" ? Promise.reject(new TypeError("Failed to fetch")) : reply(views.at(-1), 201);
  });
  return played;
}

let kept: Map<string, string>;
const former = () => JSON.parse(kept.get("parley.views") ?? "[]") as { name: string }[];
const keep = (...names: string[]) => kept.set("parley.views", JSON.stringify(names.map((name) => ({ name, query: `?status=open&label=${name}` }))));

beforeEach(() => {
  vi.useFakeTimers();
  kept = new Map();
  vi.stubGlobal("document", page);
  vi.stubGlobal("window", {
    dispatchEvent: () => true,
    localStorage: { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => kept.set(key, value), removeItem: (key: string) => kept.delete(key) },
  });
  show(false);
});
afterEach(() => {
  listeners.clear();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A stream without signals. */
const deaf = { onSignal: () => () => undefined };
const updated = (changed: string) => ({ ...event(1, "conversation.updated", {}, "c"), changed: [changed] }) as LogEvent;
const names = (views: SavedViews) => views.all.get().map(({ name }) => name);

test("the views of a browser move to the server once, in two tabs", async () => {
  const { views, count } = server();
  keep("a", "b", "c");
  const tabs = [new SavedViews(), new SavedViews()];
  const stops = tabs.map((tab) => tab.start(deaf));
  await vi.advanceTimersByTimeAsync(100);
  expect(views.map(({ name, query }) => [name, query])).toEqual(["a", "b", "c"].map((name) => [name, `status=open&label=${name}`]));
  for (const tab of tabs) expect(names(tab)).toEqual(["a", "b", "c"]);
  expect(kept.has("parley.views")).toBe(false);
  const before = count(`POST ${path}`);
  await tabs[0]?.load();
  await new SavedViews().load();
  expect(count(`POST ${path}`)).toBe(before);
  for (const stop of stops) stop();
});

test("a view stays in the browser until the server has it, and is not added twice", async () => {
  const { views, answers, count } = server();
  keep("a", "b");
  const tab = new SavedViews();
  answers.push(503);
  await tab.load();
  await vi.advanceTimersByTimeAsync(0);
  expect(former()).toHaveLength(2);
  answers.push("lost"); // the server has it, and the answer did not arrive
  await tab.load();
  await vi.advanceTimersByTimeAsync(0);
  expect([views.length, former().length]).toEqual([1, 2]);
  await tab.load();
  await vi.advanceTimersByTimeAsync(0);
  expect([views.length, former().length]).toEqual([2, 0]);
  expect(names(tab)).toEqual(["a", "b"]);
  // What the server refuses stays, keeps nothing else back, and is not offered with each reading.
  keep("c", "d");
  answers.push(409);
  const before = count(`POST ${path}`);
  await tab.load();
  await vi.advanceTimersByTimeAsync(0);
  expect(names(tab)).toEqual(["a", "b", "d"]);
  expect(former().map(({ name }) => name)).toEqual(["c"]);
  await tab.load();
  await vi.advanceTimersByTimeAsync(0);
  expect(count(`POST ${path}`) - before).toBe(2);
});

test("what is no list of views is left alone", async () => {
  const { asked } = server();
  for (const text of ["{}", "no JSON", '[null,{"name":1}]']) {
    kept.set("parley.views", text);
    await new SavedViews().load();
    expect(kept.get("parley.views")).toBe(text);
  }
  expect(asked.filter((request) => request.startsWith("POST"))).toEqual([]);
});

test("views are counted at most once in five seconds, and only while the page is visible", async () => {
  const counts = "GET /v1/dashboard/view-counts";
  const { asked, count } = server();
  const views = new SavedViews();
  const stop = views.start(deaf);
  await vi.advanceTimersByTimeAsync(10);
  views.countSoon();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(count(counts)).toBe(0); // none is saved
  await views.save({ name: "a", query: "status=open", scope: "own" });
  await vi.advanceTimersByTimeAsync(10);
  expect([count(counts), views.counts.get().get("0")]).toEqual([1, 1]);
  for (let tenth = 0; tenth < 200; tenth++) {
    views.countSoon();
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(count(counts)).toBe(5); // at 0, 5, 10, 15 and 20 seconds
  await vi.advanceTimersByTimeAsync(5000);
  views.saw(updated("unreadCount")); // what is read moves nowhere
  await vi.advanceTimersByTimeAsync(60_000);
  const so = count(counts);
  show(true);
  views.saw(updated("status"));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(count(counts)).toBe(so);
  show(false);
  await vi.advanceTimersByTimeAsync(1000);
  expect(count(counts)).toBe(so + 1);
  stop();
  views.countSoon();
  show(true);
  show(false);
  const before = asked.length;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked.length).toBe(before);
});

test("a signal tells of the member's own views", async () => {
  const { views: kept, count } = server();
  const views = new SavedViews();
  let tell: (name: Signal) => void = () => undefined;
  const stop = views.start({ onSignal: (listener) => ((tell = listener), () => (tell = () => undefined)) });
  await vi.advanceTimersByTimeAsync(100);
  kept.push({ id: "9", name: "elsewhere", query: "status=open", scope: "own", teamId: null, ownerId: "u", position: 0, pinned: true });
  tell("notice");
  await vi.advanceTimersByTimeAsync(100);
  expect(names(views)).toEqual([]);
  tell("view");
  await vi.advanceTimersByTimeAsync(100);
  expect(names(views)).toEqual(["elsewhere"]);
  stop();
  const before = count(`GET ${path}`);
  tell("view");
  await vi.advanceTimersByTimeAsync(100);
  expect(count(`GET ${path}`)).toBe(before);
});
