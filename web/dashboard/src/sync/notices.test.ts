import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Notice } from "../api/types";
import { createCell } from "./cell";
import type { LineState, Signal } from "./line";
import { newsOf, Notices } from "./notices";
import { notice, time } from "./world.fixture";

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("window", { dispatchEvent: () => true });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A server with notices, and a page that hears its signals. */
function world() {
  const server = { items: [] as Notice[], unread: 0, following: [] as string[], reads: 0, asked: [] as string[], refuses: false, hold: Promise.resolve() };
  vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
    server.asked.push(`${init.method ?? ""} ${url} ${(init.body as string | undefined) ?? ""}`.trim());
    const answer = JSON.stringify(init.method === "GET" ? { data: server.items, unread: server.unread, following: server.following } : { unread: 0, memberIds: ["usr_me"] });
    if (init.method === "GET") server.reads++;
    await server.hold;
    return server.refuses ? new Response("no", { status: 400 }) : new Response(answer);
  });
  const line = createCell<LineState>("waiting");
  const renewals = createCell(0);
  let signal: (name: Signal) => void = () => undefined;
  const notices = new Notices();
  const news: string[][] = [];
  notices.onNews((some) => news.push(some.map(({ id }) => id)));
  notices.start({ line, renewals, onSignal: (heard) => ((signal = heard), () => undefined) });
  const settle = () => vi.advanceTimersByTimeAsync(0);
  return { server, line, renewals, notices, news, settle, signal: () => signal("notice") };
}

test("what was there when the page opened is no news, and what is missed on the way is read on reconnect", async () => {
  const { server, line, notices, news, settle } = world();
  server.items = [notice("a", "c", 1)];
  server.unread = 1;
  line.set("live");
  await settle();
  expect([notices.told.get()?.unread, news]).toEqual([1, []]);
  line.set("waiting");
  server.items = [notice("b", "c", 2), notice("a", "c", 1)];
  server.unread = 2;
  line.set("live");
  await settle();
  expect([notices.told.get()?.unread, news]).toEqual([2, [["b"]]]);
});

test("a storm of signals is few reads, and the last one is read", async () => {
  const { server, line, notices, settle, signal } = world();
  line.set("live");
  await settle();
  for (let second = 0; second < 60; second++) {
    server.items = [notice("a", "c", second, { count: second + 1 })];
    signal();
    await vi.advanceTimersByTimeAsync(1000);
  }
  await vi.advanceTimersByTimeAsync(10_000);
  expect(server.reads).toBeLessThan(22);
  expect(notices.told.get()?.items[0]?.count).toBe(60);
  await vi.advanceTimersByTimeAsync(10_000);
  const before = server.reads;
  signal();
  expect(server.reads).toBe(before + 1); // after a pause at once
});

test("reading shows at once, and an answer from before it does not undo it", async () => {
  const { server, line, notices, settle } = world();
  server.items = [notice("a", "c", 1), notice("b", "d", 1)];
  server.unread = 2;
  line.set("live");
  await settle();
  let answer = () => {};
  server.hold = new Promise((resolve) => (answer = resolve));
  const reading = notices.load();
  notices.sawConversation("c");
  expect(notices.told.get()?.unread).toBe(1);
  server.items = [notice("a", "c", 1, { readAt: time(9) }), notice("b", "d", 1)];
  server.unread = 1;
  answer();
  await reading;
  expect([notices.told.get()?.unread, server.reads, notices.hasUnread("c"), notices.hasUnread("d")]).toEqual([1, 3, false, true]);
  await notices.markRead("all");
  expect(notices.told.get()?.unread).toBe(0);
  expect(server.asked.at(-1)).toBe('POST /v1/dashboard/notices/read {"all":true}');
});

test("what the server refuses is shown as it is", async () => {
  const { server, line, notices, settle } = world();
  server.items = [notice("a", "c", 1)];
  server.unread = 1;
  line.set("live");
  await settle();
  server.refuses = true;
  const failing = notices.markRead(["a"]);
  expect(notices.told.get()?.unread).toBe(0);
  await expect(failing).rejects.toThrow();
  await expect(notices.follow("c", true)).rejects.toThrow();
  expect(notices.told.get()?.following.has("c")).toBe(false);
  server.refuses = false;
  await notices.load();
  expect(notices.told.get()?.unread).toBe(1);
  await notices.follow("c", true);
  expect(notices.told.get()?.following.has("c")).toBe(true);
});

test("news are unread, new or happened again, and not older than what is known", () => {
  const before = [notice("a", "c", 5), notice("b", "c", 4)];
  const now = [notice("b", "c", 7, { count: 2 }), notice("d", "c", 6), notice("e", "c", 6, { readAt: time(6) }), notice("a", "c", 5), notice("f", "c", 1)];
  expect(newsOf(before, now).map(({ id }) => id)).toEqual(["d", "b"]);
  expect(newsOf([], now).length).toBe(4);
});
