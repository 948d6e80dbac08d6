import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { LogEvent } from "../api/types";
import { markRead } from "./actions";
import { Store } from "./store";
import { conversation, event, listedPage, message, workspaceAt } from "./world.fixture";

/** A fake server that counts requests, returns pages of the log, and refuses the state a given number of times. */
function server(epoch: string) {
  const asked: string[] = [];
  const pages: LogEvent[][] = [];
  const played = { asked, pages, refusals: 0, refused: "", count: (part: string) => asked.filter((url) => url.includes(part)).length };
  const none = { data: [], has_more: false, next_cursor: "" };
  const bodyOf = (url: string): unknown => {
    if (url.includes("/state")) return workspaceAt(`${epoch}.5.x`);
    if (url.includes("/counts")) return {};
    if (url.includes("/v1/public/events")) {
      const data = pages.shift() ?? [];
      return { data, has_more: pages.length > 0, next_cursor: `${epoch}.${data.at(-1)?.seq ?? 5}.y`, reset: false };
    }
    const id = /conversations\/(\w+)/.exec(url)?.[1];
    return id ? { ...conversation(id, 1), messages: none } : listedPage([conversation("a", 1)]);
  };
  vi.stubGlobal("fetch", (url: string) => {
    asked.push(url);
    const refuses = (url.includes("/state") && played.refusals-- > 0) || (played.refused !== "" && url.includes(played.refused));
    if (refuses) return Promise.resolve(new Response('{"error":"busy"}', { status: 503 }));
    return Promise.resolve(new Response(JSON.stringify(bodyOf(url)), { headers: { "Parley-Position": `${epoch}.5.x` } }));
  });
  return played;
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const labelled = (seq: number) => event(seq, "label.created", { name: `l${seq}`, color: "red" });
const told = (store: Store, seq: number, epoch = "new") => store["told"]({ kind: "event", epoch, event: labelled(seq) });
const labels = (store: Store) => [...store.state.get().labels.keys()];

async function opened(store: Store) {
  await store.loadList({ status: "open" });
  for (const id of ["a", "b", "c"]) await store.loadMessages(id);
  store.hold("list:status=open");
  store.hold("messages:c");
}

test("a burst of events of another history reloads once, and reads only what is on display", async () => {
  const old = server("old");
  const store = new Store(workspaceAt("old.5.x"));
  await opened(store);
  expect(old.count("messages_limit")).toBe(3);
  const next = server("new");
  for (let seq = 1; seq <= 100; seq++) told(store, seq);
  store["told"]({ kind: "reset" });
  await vi.runAllTimersAsync();
  expect(next.count("/state")).toBe(1);
  expect(store.renewals.get()).toBe(1);
  expect(next.count("messages_limit")).toBe(1);
  expect(next.count("/v1/public/conversations?")).toBe(1);
  expect(next.count("/v1/public/events")).toBe(1);
  expect(store.state.get().epoch).toBe("new");
  expect([...store.state.get().messages.keys()]).toEqual(["c"]);
});

test("reloading is retried with pauses, and the connection is not live in the meantime", async () => {
  server("old");
  const store = new Store(workspaceAt("old.5.x"));
  await opened(store);
  const next = server("new");
  next.refusals = 3;
  store["told"]({ kind: "line", state: "live" });
  store["told"]({ kind: "reset" });
  await vi.advanceTimersByTimeAsync(0);
  expect(next.count("/state")).toBe(1);
  expect(store.line.get()).toBe("waiting");
  store["told"]({ kind: "reset" });
  await vi.runAllTimersAsync();
  expect(next.count("/state")).toBe(4);
  expect(store.line.get()).toBe("live");
  expect(store.state.get().epoch).toBe("new");
});

test("a failed read causes no read of counts, and a successful one causes one", async () => {
  const played = server("old");
  const store = new Store(workspaceAt("old.5.x"));
  await store.loadConversation("a");
  played.refused = "/read";
  for (let attempt = 0; attempt < 3; attempt++) {
    await expect(markRead(store, "a")).rejects.toThrow();
    await vi.runAllTimersAsync();
  }
  expect(played.count("/counts")).toBe(0);
  played.refused = "";
  await markRead(store, "a");
  await vi.runAllTimersAsync();
  expect(played.count("/counts")).toBe(1);
});

test("events that arrive out of order, or twice, are applied once and in order", async () => {
  const played = server("e");
  const store = new Store(workspaceAt("e.5.x"));
  const heard: number[] = [];
  store.onEvent(({ seq }) => heard.push(seq));
  for (const seq of [7, 6, 6, 5]) told(store, seq, "e");
  expect(labels(store)).toEqual([]);
  await vi.runAllTimersAsync();
  expect(labels(store)).toEqual(["l6", "l7"]);
  expect(heard).toEqual([6, 7]);
  expect(played.count("/v1/public/events")).toBe(0);
});

test("missing events are read from the log, page by page, and once for a burst", async () => {
  const played = server("e");
  played.pages.push([labelled(6), labelled(7)], [labelled(8), labelled(9)]);
  const store = new Store(workspaceAt("e.5.x"));
  for (const seq of [8, 9]) told(store, seq, "e");
  await vi.runAllTimersAsync();
  expect(labels(store)).toEqual(["l6", "l7", "l8", "l9"]);
  expect(played.asked.filter((url) => url.includes("/v1/public/events"))).toEqual(["/v1/public/events?after=e.5.x&limit=200", "/v1/public/events?after=e.7.y&limit=200"]);
});

test("a gap that the log did not fill is read again with the next event", async () => {
  const played = server("e");
  played.refused = "/v1/public/events";
  const store = new Store(workspaceAt("e.5.x"));
  told(store, 8, "e");
  await vi.advanceTimersByTimeAsync(16);
  expect(labels(store)).toEqual([]);
  played.refused = "";
  played.pages.push([labelled(6), labelled(7), labelled(8)]);
  await vi.advanceTimersByTimeAsync(250);
  expect(labels(store)).toEqual(["l6", "l7", "l8"]);
});

test("unknown conversations that move are read; if there are many, the lists are reloaded", async () => {
  const played = server("e");
  const store = new Store(workspaceAt("e.5.x"));
  await store.loadList({ status: "open" });
  const wrote = (seq: number, id: string) => store["told"]({ kind: "event", epoch: "e", event: event(seq, "message.created", message(`m${seq}`, id, seq), id) });
  wrote(6, "far");
  await vi.runAllTimersAsync();
  expect(played.count("/v1/public/conversations/far")).toBe(1);
  expect(played.count("/v1/public/conversations?")).toBe(1);
  for (let n = 0; n < 21; n++) wrote(7 + n, `far${n}`);
  await vi.runAllTimersAsync();
  expect(played.count("/v1/public/conversations/")).toBe(1);
  expect(played.count("/v1/public/conversations?")).toBe(2);
});

test("a failed read is reported until one succeeds", async () => {
  const played = server("e");
  const store = new Store(workspaceAt("e.5.x"));
  played.refused = "/contacts/";
  await store.loadContact("ann");
  expect(store.readings.get().get("contact:ann")).toMatchObject({ error: { status: 503 } });
  played.refused = "";
  await store.loadContact("ann");
  expect(store.readings.get().has("contact:ann")).toBe(false);
});
