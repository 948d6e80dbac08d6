import { describe, expect, test } from "vitest";
import type { Conversation, EventOf, LogEvent, Message } from "../api/types";
import { ingestAround, ingestBeside, ingestPage, ingestThread, ingestUnread, openList, openMessages } from "./ingest";
import { reduce } from "./reduce";
import { isUnread, type Filter, type State } from "./state";
import { conversation, event, message, stateAt, time } from "./world.fixture";

const page = <T>(...data: T[]) => ({ data, has_more: false, next_cursor: "" });
const listPage = (...data: Conversation[]) => page(...data.map((one) => ({ ...one, lastMessage: null })));
const waits = (id: string, since: number | null, more: Partial<Conversation> = {}) => conversation(id, since ?? 0, { waitingSince: since === null ? null : time(since), ...more });

/** The event of a message, with what it moved. */
function wrote(seq: number, id: string, conversationId: string, more: Partial<EventOf<"message.created">["moved"]> = {}, written: Partial<Message> = {}): LogEvent {
  const moved = { unreadCount: 1, lastActivityAt: time(seq), updatedAt: time(seq), waitingSince: time(seq), wokeAt: null, contactLastActivityAt: time(seq), ...more };
  return { ...event(seq, "message.created", message(id, conversationId, seq, written), conversationId), moved };
}

describe("waiting customers", () => {
  const filter: Filter = { status: "open", order: "waiting" };
  const ids = (state: State) => state.lists.get("status=open&order=waiting")?.ids;
  const listed = (...all: Conversation[]) => ingestPage(openList(stateAt(10), filter), filter, listPage(...all), 10, true);

  test("the longest waiting is first, and an answered one leaves", () => {
    const state = listed(waits("a", 1), waits("b", 3), waits("c", 5));
    const answered = { unreadCount: 0, waitingSince: null, contactLastActivityAt: null };
    const after = reduce(state, [wrote(11, "m1", "a", answered, { messageType: "outgoing", senderType: "agent" })]);
    expect(ids(after)).toEqual(["b", "c"]);
    expect(ids(reduce(after, [wrote(12, "m2", "a"), wrote(13, "m3", "b", { waitingSince: time(3) })]))).toEqual(["b", "c", "a"]);
  });

  test("ids break ties, the older one first", () => {
    expect(ids(reduce(listed(waits("b", 3)), [event(11, "conversation.updated", waits("a", 3)), event(12, "conversation.updated", waits("c", 3))]))).toEqual(["a", "b", "c"]);
  });
});

describe("unread conversations", () => {
  const known = (more: Partial<Conversation> = {}) => ingestPage(openList(stateAt(10), {}), {}, listPage(conversation("a", 1, more)), 10, true);

  test("a customer's message is new until somebody answers", () => {
    const asked = reduce(known(), [wrote(11, "m", "a")]);
    expect(isUnread(asked, "a")).toBe(true);
    const seenByOthers = reduce(asked, [event(12, "conversation.updated", waits("a", 11))]);
    expect(isUnread(seenByOthers, "a")).toBe(true);
    const answered = reduce(seenByOthers, [wrote(13, "n", "a", { unreadCount: 0, waitingSince: null, contactLastActivityAt: null }, { messageType: "outgoing" })]);
    expect(isUnread(answered, "a")).toBe(false);
    expect(isUnread(reduce(answered, [wrote(14, "o", "a")]), "a")).toBe(true);
    expect(isUnread(reduce(asked, [event(12, "conversation.updated", conversation("a", 1, { status: "resolved", unreadCount: 1 }))]), "a")).toBe(false);
  });

  test("a backfill is not new to anyone", () => {
    expect(isUnread(reduce(known({ unreadCount: 1 }), [wrote(11, "m", "a", { contactLastActivityAt: null })]), "a")).toBe(false);
  });

  test("the server's answer counts, except for what changed since", () => {
    const state = reduce(known({ unreadCount: 1 }), [wrote(11, "m", "a")]);
    expect(isUnread(ingestUnread(state, { new: [], marked: [] }, 11), "a")).toBe(false);
    expect(isUnread(ingestUnread(state, { new: [], marked: [] }, 10), "a")).toBe(true);
    const marked = ingestUnread(known(), { new: [], marked: ["a"] }, 10);
    expect(isUnread(marked, "a")).toBe(true);
    expect(reduce(marked, [wrote(11, "m", "a")]).unread.get("a")?.value).toBe("marked");
  });
});

describe("messages around one of the past", () => {
  const cut = (...data: Message[]) => ({ data, has_more: true, next_cursor: "next" });
  const at = (n: number) => message(`m${n}`, "a", n);
  const around = (now = 10) => ingestAround(openMessages(stateAt(now), "a"), "a", cut(at(5), at(4)), cut(at(5), at(6)), 10);
  const shown = (state: State) => state.messages.get("a")?.items.map(({ value }) => value.id);

  test("it is complete in both directions, and nothing is inserted after a gap", () => {
    expect(shown(around())).toEqual(["m4", "m5", "m6"]);
    expect(shown(reduce(around(), [wrote(11, "m9", "a")]))).toEqual(["m4", "m5", "m6"]);
    const more = ingestBeside(around(), "a", page(at(7)), 10, "later");
    expect(shown(more)).toEqual(["m4", "m5", "m6", "m7"]);
    expect(more.messages.get("a")).toMatchObject({ later: false, more: true });
    expect(shown(reduce(more, [wrote(11, "m9", "a")]))).toEqual(["m4", "m5", "m6", "m7", "m9"]);
    expect(shown(ingestBeside(more, "a", page(at(3), at(2)), 10, "older"))).toEqual(["m2", "m3", "m4", "m5", "m6", "m7"]);
  });

  test("an end that was read before the last event does not count", () => {
    const behind = ingestBeside(around(12), "a", page(at(7)), 11, "later");
    expect(behind.messages.get("a")).toMatchObject({ later: true, laterCursor: "" });
    expect(ingestBeside(behind, "a", page(at(7), at(8)), 12, "later").messages.get("a")).toMatchObject({ later: false });
  });

  test("the newest page closes the gap", () => {
    const thread = { ...conversation("a", 9), messages: cut(at(8), at(9)) };
    const newest = ingestThread(around(), thread, 10, true);
    expect(shown(newest)).toEqual(["m8", "m9"]);
    expect(newest.messages.get("a")).toMatchObject({ around: false, later: false, more: true });
  });
});
