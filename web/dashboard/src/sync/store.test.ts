import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { WorkspaceState } from "../api/types";
import { markRead } from "./actions";
import { Store } from "./store";
import { conversation, event, listedPage, member } from "./world.fixture";

function workspaceState(position: string): WorkspaceState {
  return { position, workspace: { id: "w", name: "Acme" }, member: member("usr_me", "Me"), members: [], formerMembers: [], inboxes: [], products: [], labels: [], cannedAnswers: [], numbers: [] };
}

/** Plays the server: counts what was asked, and refuses the state as often as told. */
function server(epoch: string) {
  const asked: string[] = [];
  const played = { asked, refusals: 0, refused: "", count: (part: string) => asked.filter((url) => url.includes(part)).length };
  vi.stubGlobal("fetch", (url: string) => {
    asked.push(url);
    if (url.includes("/state") && played.refusals-- > 0) return Promise.resolve(new Response('{"error":"busy"}', { status: 503 }));
    if (played.refused && url.includes(played.refused)) return Promise.resolve(new Response('{"error":"busy"}', { status: 503 }));
    const headers = { "Parley-Position": `${epoch}.5.x` };
    const id = /conversations\/(\w+)/.exec(url)?.[1];
    const none = { data: [], has_more: false, next_cursor: "" };
    const body = url.includes("/state")
      ? workspaceState(`${epoch}.5.x`)
      : url.includes("/counts")
        ? {}
        : url.includes("/events")
          ? { ...none, reset: false }
          : id
            ? { ...conversation(id, 1), messages: none }
            : listedPage([conversation("a", 1)]);
    return Promise.resolve(new Response(JSON.stringify(body), { headers }));
  });
  return played;
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const told = (store: Store, seq: number, epoch = "new") => store["told"]({ kind: "event", epoch, event: event(seq, "label.created", { name: `l${seq}`, color: "red" }) });

async function opened(store: Store) {
  await store.loadList({ status: "open" });
  for (const id of ["a", "b", "c"]) await store.loadMessages(id);
  store.hold("list:status=open");
  store.hold("messages:c");
}

test("a burst of events of another history begins anew once, and reads only what is on the page", async () => {
  const old = server("old");
  const store = new Store(workspaceState("old.5.x"));
  await opened(store);
  expect(old.count("messages_limit")).toBe(3);
  const next = server("new");
  for (let seq = 1; seq <= 100; seq++) told(store, seq);
  store["told"]({ kind: "reset" });
  await vi.runAllTimersAsync();
  expect(next.count("/state")).toBe(1);
  expect(next.count("messages_limit")).toBe(1);
  expect(next.count("/v1/public/conversations?")).toBe(1);
  expect(next.count("/v1/public/events")).toBe(1);
  expect(store.state.get().epoch).toBe("new");
  expect([...store.state.get().messages.keys()]).toEqual(["c"]);
});

test("a server that cannot answer is asked again, with pauses, and until then the line is not live", async () => {
  server("old");
  const store = new Store(workspaceState("old.5.x"));
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

test("what fails to be read asks for no counts, and what succeeds asks once", async () => {
  const played = server("old");
  const store = new Store(workspaceState("old.5.x"));
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
