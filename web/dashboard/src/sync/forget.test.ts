import { expect, test } from "vitest";
import { forget } from "./forget";
import { ingestContact, ingestPage, ingestThread, openList, openMessages } from "./ingest";
import { filterKey } from "./lists";
import { reduce } from "./reduce";
import { Shelf } from "./shelf";
import type { State } from "./state";
import { contact, conversation, event, listedPage, message, stateAt } from "./world.fixture";

const open = { status: "open" };
const kept = (...keys: string[]) => new Set(keys);

/** Opens a conversation like the page does: its messages, its contact, the contact's other conversations. */
function opened(state: State, id: string): State {
  const one = conversation(id, 1, { status: "resolved" });
  const thread = { ...one, messages: { data: [message(`m-${id}`, id, 1)], has_more: false, next_cursor: "" } };
  const filter = { contactId: one.contact.id };
  const read = ingestThread(openMessages(state, id), thread, 10, true);
  return ingestPage(openList(ingestContact(read, one.contact.id, contact(one.contact.id, "Ann"), 10), filter), filter, listedPage([one]), 10, true);
}

const sizes = ({ conversations, previews, contacts, messages, lists }: State) => [conversations.size, previews.size, contacts.size, messages.size, lists.size];

test("parts that are not on display are dropped, with the records that only they showed", () => {
  const listed = ingestPage(openList(stateAt(10), open), open, listedPage([conversation("a", 5)]), 10, true);
  const state = opened(opened(listed, "b"), "c");
  const next = forget(state, kept("list:status=open", "messages:c", "contact:contact-c"), Infinity);
  expect([...next.conversations.keys()]).toEqual(["a", "c"]);
  expect([...next.contacts.keys()]).toEqual(["contact-c"]);
  expect([...next.messages.keys()]).toEqual(["c"]);
  expect([...next.lists.keys()]).toEqual([filterKey(open)]);
  expect(sizes(forget(next, kept("list:status=open", "messages:c", "contact:contact-c"), Infinity))).toEqual(sizes(next));
});

test("a record that an event changed during a read stays until the read is answered", () => {
  const state = reduce(stateAt(10), [event(11, "contact.updated", contact("x", "New name"))]);
  expect(forget(state, kept(), 10).contacts.has("x")).toBe(true);
  expect(forget(state, kept(), 11).contacts.has("x")).toBe(false);
});

test("a merged contact is kept by the id that the page asked for", () => {
  const state = ingestContact(stateAt(10), "old", contact("new", "Ann"), 10);
  expect(forget(state, kept("contact:old"), Infinity).contacts.has("new")).toBe(true);
});

test("after a thousand conversations only the last few are left", () => {
  const shelf = new Shelf();
  let state = stateAt(10);
  for (let n = 0; n < 1000; n++) {
    const id = `c${n}`;
    const release = [`messages:${id}`, `contact:contact-${id}`, `list:contactId=contact-${id}`].map((key) => shelf.hold(key));
    state = opened(state, id);
    for (const end of release) end();
    if (shelf.full) state = forget(state, shelf.kept(), Infinity);
  }
  for (const size of sizes(state)) expect(size).toBeLessThanOrEqual(60);
  expect(state.messages.has("c999")).toBe(true);
});

test("a part that two components hold is held until both release it", () => {
  const shelf = new Shelf();
  const [one, two] = [shelf.hold("messages:a"), shelf.hold("messages:a")];
  one();
  one();
  expect(shelf.isHeld("messages:a")).toBe(true);
  two();
  expect(shelf.isHeld("messages:a")).toBe(false);
  expect(shelf.kept().has("messages:a")).toBe(true);
});
