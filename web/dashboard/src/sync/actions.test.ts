import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Conversation, Thread } from "../api/types";
import { changeConversation, markRead, markUnread, newestHere } from "./actions";
import { ingestAround, ingestPage, ingestThread, ingestUnread } from "./ingest";
import { reduce } from "./reduce";
import { Store } from "./store";
import { conversation, event, listedPage, member, message, time, workspaceAt } from "./world.fixture";

/** The requests without an answer, oldest first. */
let asked: { url: string; body: unknown; answer: (status: number, body: unknown) => Promise<void> }[];
let store: Store;

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  vi.stubGlobal(
    "fetch",
    (url: string, init: RequestInit) =>
      new Promise<Response>((resolve) => {
        const answer = async (status: number, body: unknown) => {
          resolve(new Response(JSON.stringify(body), { status }));
          await vi.advanceTimersByTimeAsync(0);
        };
        asked.push({ url, body: typeof init.body === "string" ? (JSON.parse(init.body) as unknown) : undefined, answer });
      }),
  );
  store = new Store({ ...workspaceAt("e.10.x"), members: [member("usr_me", "Me"), member("usr_bo", "Bo")] });
  show(conversation("a", 1, { unreadCount: 2, updatedAt: time(1) }));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const show = (...all: Conversation[]) => store.state.update((state) => ingestPage(state, {}, listedPage(all), 10, true));
const now = () => store.state.get().conversations.get("a")?.value;
const told = (seq: number, more: Partial<Conversation>) => store.state.update((state) => reduce(state, [event(seq, "conversation.updated", { ...conversation("a", 1), ...more }, "a")]));

test("a change shows at once, and then as the server answers", async () => {
  const change = changeConversation(store, "a", { status: "resolved", assigneeId: "usr_bo" });
  expect(now()).toMatchObject({ status: "resolved", assignee: { id: "usr_bo", name: "Bo" } });
  expect(asked[0]).toMatchObject({ url: "/v1/public/conversations/a", body: { status: "resolved", assigneeId: "usr_bo" } });
  await asked[0]?.answer(200, conversation("a", 1, { status: "resolved", priority: "high", updatedAt: time(2) }));
  await change;
  expect(now()).toMatchObject({ status: "resolved", priority: "high" });
});

test("a refused change is reverted", async () => {
  const change = changeConversation(store, "a", { status: "resolved" });
  const refused = expect(change).rejects.toThrow("no");
  await asked[0]?.answer(400, { error: "no" });
  await refused;
  expect(now()).toMatchObject({ status: "open" });
});

test("reverting a refused change keeps what an event has changed since", async () => {
  const change = changeConversation(store, "a", { status: "resolved" });
  const refused = expect(change).rejects.toThrow("no");
  told(11, { status: "pending" });
  await asked[0]?.answer(400, { error: "no" });
  await refused;
  expect(now()).toMatchObject({ status: "pending" });
});

test("of an event in between and the answer, the later change shows", async () => {
  const first = changeConversation(store, "a", { status: "resolved" });
  told(11, { status: "pending", updatedAt: time(5) });
  await asked[0]?.answer(200, conversation("a", 1, { status: "resolved", updatedAt: time(4) }));
  await first;
  expect(now()).toMatchObject({ status: "pending" });
  const second = changeConversation(store, "a", { status: "open" });
  told(12, { status: "pending", updatedAt: time(6) });
  await asked[1]?.answer(200, conversation("a", 1, { status: "open", updatedAt: time(7) }));
  await second;
  expect(now()).toMatchObject({ status: "open" });
});

test("an unknown assignee shows with the answer", async () => {
  void changeConversation(store, "a", { assigneeId: "usr_gone" });
  expect(now()?.assignee).toBeNull();
  await asked[0]?.answer(200, conversation("a", 1, { assignee: { id: "usr_gone", name: "Gone", image: "" } }));
  expect(now()?.assignee?.name).toBe("Gone");
});

test("a conversation is read at once, and is unread again if the request fails", async () => {
  store.state.update((state) => ingestUnread(state, { new: ["a"], marked: [] }, 10));
  const unread = () => store.state.get().unread.get("a")?.value;
  const read = markRead(store, "a");
  expect([unread(), now()?.unreadCount]).toEqual(["", 0]);
  const refused = expect(read).rejects.toThrow();
  await asked[0]?.answer(503, { error: "busy" });
  await refused;
  expect([unread(), now()?.unreadCount]).toEqual(["new", 2]);
});

test("marking as unread affects only the member", async () => {
  const marked = markUnread(store, "a");
  expect(store.state.get().unread.get("a")?.value).toBe("marked");
  expect(now()?.unreadCount).toBe(2);
  await asked[0]?.answer(200, conversation("a", 1));
  await marked;
});

test("the newest message is the list's if that is newer, but not if the log is of the past", () => {
  const thread = (...ids: string[]): Thread => ({ ...conversation("a", 1), messages: { data: ids.map((id, n) => message(id, "a", n + 1)), has_more: false, next_cursor: "" } });
  store.state.update((state) => ingestThread(state, thread("m1", "m2"), 11, true));
  expect(newestHere(store.state.get(), "a")).toBe("m2");
  const page = (...ids: string[]) => ({ data: ids.map((id, n) => message(id, "a", n + 1)), has_more: true, next_cursor: "x" });
  store.state.update((state) => ingestAround(state, "a", page("m1"), page("m1"), 11));
  expect(newestHere(store.state.get(), "a")).toBe("m2");
});
