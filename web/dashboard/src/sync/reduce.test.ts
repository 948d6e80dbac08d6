import { describe, expect, test } from "vitest";
import type { Conversation, EventOf, LogEvent, Message } from "../api/types";
import { ingestCompany, ingestContact, ingestPage, ingestThread, openList, openMessages } from "./ingest";
import { reduce } from "./reduce";
import { company, contact, conversation, event, listedPage, member, message, stateAt, time } from "./world.fixture";
import type { Filter, State } from "./state";

const page = (...data: Conversation[]) => listedPage(data);
const open: Filter = { status: "open" };
const idsOf = (state: State, filter = "status=open") => state.lists.get(filter)?.ids;

/** A state at 10 with one open list of these conversations. */
function listed(...conversations: Conversation[]): State {
  return ingestPage(openList(stateAt(10), open), open, page(...conversations), 10, true);
}

const created = (seq: number, made: Message, moved?: EventOf<"message.created">["moved"]): LogEvent => ({ ...event(seq, "message.created", made, made.conversationId), ...(moved && { moved }) });

describe("the rule of positions", () => {
  test("events that are part of the state are skipped", () => {
    const state = listed(conversation("a", 1));
    expect(reduce(state, [event(10, "conversation.updated", conversation("a", 1, { status: "resolved" }))])).toEqual(state);
  });

  test("a record that was read after an event stays", () => {
    const state = ingestPage(openList(stateAt(10), open), open, page(conversation("a", 1, { priority: "high" })), 15, true);
    const next = reduce(state, [event(11, "conversation.updated", conversation("a", 1, { priority: "low" }))]);
    expect(next.conversations.get("a")?.value.priority).toBe("high");
    expect(next.seq).toBe(11);
  });

  test("a page that was read before an event does not undo it", () => {
    const state = reduce(openList(stateAt(10), open), [event(11, "conversation.created", conversation("a", 1, { status: "resolved" }))]);
    const next = ingestPage(state, open, page(conversation("a", 1)), 10, true);
    expect(idsOf(next)).toEqual([]);
  });

  test("a conversation from an event before the first page arrived is in the list", () => {
    const state = reduce(openList(stateAt(10), open), [event(11, "conversation.created", conversation("b", 9))]);
    const next = ingestPage(state, open, page(conversation("a", 1)), 10, true);
    expect(idsOf(next)).toEqual(["b", "a"]);
  });

  test("events of an unknown type are counted and change nothing else", () => {
    const state = listed(conversation("a", 1));
    expect(reduce(state, [{ ...event(11, "label.deleted", { name: "x" }), type: "planet.moved" } as unknown as LogEvent])).toEqual({ ...state, seq: 11 });
  });

  test("an unchanged map stays the same object", () => {
    const state = listed(conversation("a", 1));
    const next = reduce(state, [event(11, "label.created", { name: "vip", color: "red" })]);
    expect(next.conversations).toBe(state.conversations);
    expect(next.lists).toBe(state.lists);
  });
});

describe("deletions", () => {
  test("a deleted conversation leaves its lists, and an answer from before does not bring it back", () => {
    const next = reduce(listed(conversation("a", 5), conversation("b", 1)), [event(11, "conversation.deleted", { id: "a" }, "a")]);
    expect(idsOf(next)).toEqual(["b"]);
    expect(next.conversations.has("a")).toBe(false);
    expect(idsOf(ingestPage(next, open, page(conversation("a", 5), conversation("b", 1)), 10, true))).toEqual(["b"]);
  });

  test("a deleted message leaves its conversation, whose row is read anew", () => {
    const open = openMessages(listed(conversation("a", 5)), "a");
    const state = reduce(open, [event(11, "message.created", message("m1", "a", 6), "a"), event(12, "message.created", message("m2", "a", 7), "a")]);
    const next = reduce(state, [event(13, "message.deleted", { id: "m2" }, "a")]);
    expect(next.previews.has("a")).toBe(false);
    expect(next.wanted.has("a")).toBe(true);
    expect(next.messages.get("a")?.items.map(({ value }) => value.id)).not.toContain("m2");
  });

  test("what is split off leaves its conversation at once, and the rows of both are read", () => {
    const state = reduce(openMessages(listed(conversation("a", 5)), "a"), [
      event(11, "message.created", message("m1", "a", 6), "a"),
      event(12, "message.created", message("m2", "a", 7), "a"),
      event(13, "message.created", message("m3", "a", 8), "a"),
    ]);
    const next = reduce(state, [event(14, "conversation.split", { id: "b", fromId: "a", messageId: "m2" }, "b")]);
    expect(next.messages.get("a")?.items.map(({ value }) => value.id)).toEqual(["m1"]);
    expect([...next.wanted].sort()).toEqual(["a", "b"]);
    expect(next.previews.has("a")).toBe(false);
    expect(next.unread.get("b")?.value).toBe(state.unread.get("a")?.value);
  });

  test("what is marked as spam leaves the list, and enters that of spam", () => {
    const state = openList(listed(conversation("a", 5), conversation("b", 1)), { spam: "true" });
    const both = ingestPage(state, { spam: "true" }, page(), 10, true);
    const next = reduce(both, [event(11, "conversation.updated", conversation("a", 5, { spam: true }))]);
    expect(idsOf(next)).toEqual(["b"]);
    expect(next.lists.get("spam=true")?.ids).toEqual(["a"]);
  });

  test("an erased event changes nothing", () => {
    const state = listed(conversation("a", 1));
    expect(reduce(state, [{ seq: 11, type: "erased", createdAt: time(1) } as unknown as LogEvent])).toEqual({ ...state, seq: 11 });
  });
});

describe("lists", () => {
  test("a new conversation enters at its place", () => {
    const next = reduce(listed(conversation("a", 5), conversation("b", 1)), [event(11, "conversation.created", conversation("c", 3))]);
    expect(idsOf(next)).toEqual(["a", "c", "b"]);
  });

  test("a conversation that no longer matches leaves, and may come back", () => {
    const resolved = reduce(listed(conversation("a", 5), conversation("b", 1)), [event(11, "conversation.updated", conversation("a", 5, { status: "resolved" }))]);
    expect(idsOf(resolved)).toEqual(["b"]);
    expect(idsOf(reduce(resolved, [event(12, "conversation.updated", conversation("a", 5))]))).toEqual(["a", "b"]);
  });

  test("a message moves its conversation to the top", () => {
    const made = message("m", "b", 9);
    const next = reduce(listed(conversation("a", 5), conversation("b", 1)), [
      created(11, made, { unreadCount: 3, lastActivityAt: time(9), updatedAt: time(9), waitingSince: time(9), wokeAt: null, contactLastActivityAt: time(9) }),
    ]);
    expect(idsOf(next)).toEqual(["b", "a"]);
    expect(next.conversations.get("b")?.value).toMatchObject({ unreadCount: 3, lastActivityAt: time(9), updatedAt: time(9), waitingSince: time(9) });
  });

  test("a message of an unknown conversation requests it", () => {
    const next = reduce(listed(conversation("a", 5)), [created(11, message("m", "z", 9))]);
    expect([...next.wanted]).toEqual(["z"]);
  });

  test("a conversation after the loaded end waits for its page", () => {
    const first = ingestPage(openList(stateAt(10), open), open, listedPage([conversation("a", 5)], "c"), 10, true);
    const behind = reduce(first, [event(11, "conversation.updated", conversation("z", 1))]);
    expect(idsOf(behind)).toEqual(["a"]);
    const second = ingestPage(behind, open, listedPage([conversation("y", 2)]), 11, false);
    const joined = ingestPage(second, open, page(conversation("z", 1)), 12, false);
    expect(idsOf(joined)).toEqual(["a", "y", "z"]);
  });

  test("assignee, product and label decide too", () => {
    const mine: Filter = { assigneeId: "usr_me" };
    const none: Filter = { productId: "none", label: "vip" };
    const state = ingestPage(openList(ingestPage(openList(stateAt(10), mine), mine, page(), 10, true), none), none, page(), 10, true);
    const next = reduce(state, [
      event(11, "conversation.created", conversation("a", 1, { assignee: { id: "usr_me", name: "Me", image: "" } })),
      event(12, "conversation.created", conversation("b", 2, { labels: ["vip"] })),
      event(13, "conversation.created", conversation("c", 3, { labels: ["vip"], product: { id: "p", name: "P" } })),
    ]);
    expect(idsOf(next, "assigneeId=usr_me")).toEqual(["a"]);
    expect(idsOf(next, "productId=none&label=vip")).toEqual(["b"]);
  });
});

describe("references", () => {
  test("conversations show new names of contact, member, product and inbox", () => {
    const before = conversation("a", 1, { assignee: { id: "usr_bo", name: "Bo", image: "" }, product: { id: "p", name: "Old" } });
    const next = reduce(listed(before), [
      event(11, "contact.updated", contact("contact-a", "Ann New")),
      event(12, "member.updated", member("usr_bo", "Bob")),
      event(13, "product.updated", { id: "p", name: "New", archived: false }),
      event(14, "inbox.updated", { id: "inbox", name: "Shop", channelType: "web", productId: null }),
    ]);
    expect(next.conversations.get("a")?.value).toMatchObject({ contact: { name: "Ann New" }, assignee: { name: "Bob" }, product: { name: "New" }, inbox: { name: "Shop" } });
  });

  test("a page from before a renaming shows the new name", () => {
    const state = reduce(openList(stateAt(10), open), [event(11, "contact.updated", contact("contact-a", "Ann New"))]);
    const next = ingestPage(state, open, page(conversation("a", 1)), 10, true);
    expect(next.conversations.get("a")?.value.contact.name).toBe("Ann New");
  });

  test("a member who left is known by name", () => {
    const next = reduce(stateAt(10), [event(11, "member.created", member("usr_bo", "Bo")), event(12, "member.removed", member("usr_bo", "Bo"))]);
    expect(next.members.has("usr_bo")).toBe(false);
    expect(next.formerMembers.get("usr_bo")?.value.name).toBe("Bo");
    const back = reduce(next, [event(13, "member.updated", member("usr_bo", "Bo"))]);
    expect(back.members.has("usr_bo")).toBe(true);
    expect(back.formerMembers.has("usr_bo")).toBe(false);
  });

  test("conversations and messages of a merged contact move to the other", () => {
    const thread = { ...conversation("a", 1), messages: { data: [message("m", "a", 1, { senderId: "contact-a" })], has_more: false, next_cursor: "" } };
    const state = ingestThread(openMessages(listed(conversation("a", 1)), "a"), thread, 10, true);
    const next = reduce(state, [event(11, "contact.updated", contact("winner", "Wen")), event(12, "contact.merged", { id: "contact-a", intoId: "winner" })]);
    expect(next.conversations.get("a")?.value.contact).toMatchObject({ id: "winner", name: "Wen" });
    expect(next.messages.get("a")?.items[0]?.value.senderId).toBe("winner");
    const late = ingestPage(next, open, page(conversation("a", 1)), 10, true);
    expect(late.conversations.get("a")?.value.contact.id).toBe("winner");
  });

  test("a contact that was merged before this page was loaded is found by its old id", () => {
    const next = ingestContact(stateAt(10), "loser", contact("winner", "Wen"), 10);
    expect(next.merged.get("loser")).toBe("winner");
    expect(next.contacts.get("winner")?.value.name).toBe("Wen");
    expect(ingestContact(stateAt(10), "winner", contact("winner", "Wen"), 10).merged.size).toBe(0);
  });
});

describe("parts that were read at different positions", () => {
  const moved = { unreadCount: 1, lastActivityAt: time(9), updatedAt: time(9), waitingSince: time(9), wokeAt: null, contactLastActivityAt: time(9) };

  test("a message updates its contact, even if its conversation was read later", () => {
    const read = ingestContact(stateAt(10), "contact-a", contact("contact-a", "Ann"), 10);
    const state = ingestPage(openList(read, open), open, page(conversation("a", 9)), 15, true);
    const next = reduce(state, [created(11, message("m", "a", 9), moved)]);
    expect(next.contacts.get("contact-a")?.value.lastActivityAt).toBe(time(9));
    expect(next.conversations.get("a")).toMatchObject({ seq: 15, value: { unreadCount: 0 } });
  });

  test("a contact keeps the name of a company that was read later", () => {
    const of = (name: string) => ({ ...contact("ann", "Ann"), company: { id: "co", name }, companyId: "co" });
    const read = ingestCompany(ingestContact(stateAt(10), "ann", of("Old"), 10), company("co", "New"), 15);
    const next = reduce(read, [event(12, "contact.updated", { ...of("Old"), shopName: "Shop" }), event(13, "company.updated", company("co", "New"))]);
    expect(next.contacts.get("ann")?.value).toMatchObject({ shopName: "Shop", company: { name: "New" } });
  });
});

describe("messages", () => {
  const thread = (data: Message[], more = false) => ({ ...conversation("a", 1), messages: { data, has_more: more, next_cursor: more ? "c" : "" } });
  const shown = (state: State) => state.messages.get("a")?.items.map((item) => item.value.id);

  test("new ones are appended, backfilled ones inserted by their time", () => {
    const state = ingestThread(openMessages(stateAt(10), "a"), thread([message("m1", "a", 1), message("m3", "a", 3)]), 10, true);
    const next = reduce(state, [created(11, message("m4", "a", 4)), created(12, message("m2", "a", 2))]);
    expect(shown(next)).toEqual(["m1", "m2", "m3", "m4"]);
  });

  test("a message that arrived before the page stays; none is duplicated", () => {
    const state = reduce(openMessages(stateAt(10), "a"), [created(11, message("m2", "a", 2))]);
    expect(shown(ingestThread(state, thread([message("m1", "a", 1)]), 10, true))).toEqual(["m1", "m2"]);
    expect(shown(ingestThread(state, thread([message("m1", "a", 1), message("m2", "a", 2)]), 12, true))).toEqual(["m1", "m2"]);
  });

  test("older pages are prepended, and a backfill older than all waits for them", () => {
    const state = ingestThread(openMessages(stateAt(10), "a"), thread([message("m5", "a", 5)], true), 10, true);
    const backfilled = reduce(state, [created(11, message("m1", "a", 1))]);
    expect(shown(backfilled)).toEqual(["m5"]);
    const older = ingestThread(backfilled, thread([message("m1", "a", 1), message("m4", "a", 4)]), 11, false);
    expect(shown(older)).toEqual(["m1", "m4", "m5"]);
    expect(older.messages.get("a")?.more).toBe(false);
  });

  test("a status advances", () => {
    const state = ingestThread(openMessages(stateAt(10), "a"), thread([message("m1", "a", 1, { status: "queued" })]), 10, true);
    const next = reduce(state, [event(11, "message.updated", message("m1", "a", 1, { status: "sent" }), "a")]);
    expect(next.messages.get("a")?.items[0]?.value.status).toBe("sent");
  });
});
