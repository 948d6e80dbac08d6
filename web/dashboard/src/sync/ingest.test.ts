import { expect, test } from "vitest";
import type { Thread } from "../api/types";
import { ingestBeside, ingestCompany, ingestContact, ingestConversation, ingestPage, ingestThread, ingestUnread, openList, openMessages } from "./ingest";
import { reduce } from "./reduce";
import type { Filter, State } from "./state";
import { company, contact, conversation, event, listedPage, message, stateAt, time } from "./world.fixture";

const open: Filter = { status: "open" };
const ids = (state: State) => state.lists.get("status=open")?.ids;
const thread = (id: string, ...messages: string[]): Thread => ({ ...conversation(id, 1), messages: { data: messages.map((name, n) => message(name, id, n + 1)), has_more: false, next_cursor: "" } });

const moved = (at: number) => ({ unreadCount: 1, lastActivityAt: time(at), updatedAt: time(at), waitingSince: time(at), wokeAt: null, contactLastActivityAt: time(at) });

test("a page that was read before an event does not undo it", () => {
  const before = reduce(openList(stateAt(10), open), [event(12, "conversation.updated", conversation("a", 1, { status: "resolved" }), "a")]);
  const state = ingestPage(before, open, listedPage([conversation("a", 1), conversation("b", 2)]), 11, true);
  expect(state.conversations.get("a")).toMatchObject({ seq: 12, value: { status: "resolved" } });
  expect(ids(state)).toEqual(["b"]);
});

test("a conversation from an event after the page was read is in the list", () => {
  const before = reduce(openList(stateAt(10), open), [event(12, "conversation.created", conversation("c", 9), "c")]);
  expect(ids(ingestPage(before, open, listedPage([conversation("a", 1)]), 11, true))).toEqual(["c", "a"]);
});

test("a first page replaces the list, the next one extends it", () => {
  const first = ingestPage(openList(stateAt(10), open), open, listedPage([conversation("a", 9), conversation("b", 8)], "next"), 10, true);
  const second = ingestPage(first, open, listedPage([conversation("c", 7)]), 10, false);
  expect(ids(second)).toEqual(["a", "b", "c"]);
  expect(second.lists.get("status=open")).toMatchObject({ more: false, loaded: true });
  expect(ids(ingestPage(second, open, listedPage([conversation("c", 7)]), 11, true))).toEqual(["c"]);
});

test("a list without newest messages keeps the known ones", () => {
  const known = ingestConversation(stateAt(10), thread("a", "m1"), 10);
  const state = ingestPage(openList(known, open), open, { data: [conversation("a", 1)], has_more: false, next_cursor: "" }, 11, true);
  expect(state.previews.get("a")?.value?.id).toBe("m1");
});

test("the newest page of messages keeps those from later events", () => {
  const before = reduce(openMessages(stateAt(10), "a"), [{ ...event(12, "message.created", message("m3", "a", 3), "a"), moved: moved(3) }]);
  const state = ingestThread(before, thread("a", "m1", "m2"), 11, true);
  expect(state.messages.get("a")?.items.map(({ value }) => value.id)).toEqual(["m1", "m2", "m3"]);
  expect(state.previews.get("a")?.value?.id).toBe("m3");
});

test("a neighbouring page is ignored by a log that is not around a message", () => {
  const state = ingestThread(stateAt(10), thread("a", "m2"), 10, true);
  expect(ingestBeside(state, "a", { data: [message("m1", "a", 0)], has_more: false, next_cursor: "" }, 11, "older")).toBe(state);
});

test("conversations that were marked as read or unread since the read stay so", () => {
  const before = reduce(ingestUnread(stateAt(10), { new: ["a"], marked: ["b"] }, 10), [
    {
      ...event(12, "message.created", message("m", "c", 1), "c"),
      moved: moved(1),
    },
  ]);
  const state = ingestUnread(before, { new: [], marked: ["b"] }, 11);
  expect([...state.unread].map(([id, { value }]) => [id, value])).toEqual([
    ["b", "marked"],
    ["c", "new"],
  ]);
});

test("a merged contact is found by both ids", () => {
  const state = ingestContact(stateAt(10), "loser", contact("winner", "Wen"), 11);
  expect(state.merged.get("loser")).toBe("winner");
  expect(state.contacts.get("winner")?.value.name).toBe("Wen");
});

test("reading a company updates its name in the contacts that show it", () => {
  const ann = { ...contact("ann", "Ann"), company: { id: "co", name: "Old" }, companyId: "co" };
  const state = ingestCompany(ingestContact(stateAt(10), "ann", ann, 10), company("co", "New"), 11);
  expect(state.contacts.get("ann")?.value.company).toEqual({ id: "co", name: "New" });
});
