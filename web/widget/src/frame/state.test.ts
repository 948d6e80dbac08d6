import { expect, test } from "vitest";
import { emptyLog, firstState, joined, pendingOf, unreadOf, withConversation, withMessage, withPage, type State } from "./state";
import type { Conversation, Message, MessageStatus } from "./types";

const at = (minute: number) => `2026-11-21T10:${String(minute).padStart(2, "0")}:00.000Z`;

function message(id: string, minute: number, change: Partial<Message> = {}): Message {
  return {
    id,
    conversationId: "c",
    content: id,
    contentType: "text",
    from: "team",
    sender: { name: "Ann", image: "" },
    status: "sent",
    attachments: [],
    agent: null,
    createdAt: at(minute),
    ...change,
  };
}
function conversation(change: Partial<Conversation> = {}): Conversation {
  return { id: "c", status: "open", unreadCount: 0, agent: "off", lastMessage: null, lastActivityAt: at(0), createdAt: at(0), ...change };
}
const begun: State = { ...firstState, conversations: [conversation()], threads: { c: { ...emptyLog, loaded: true } } };

test("messages are joined by id, oldest first, in whatever order they arrive", () => {
  const [a, b, c] = [message("a", 1), message("b", 2), message("c", 2)];
  expect(joined([c], [a, b, a]).map(({ id }) => id)).toEqual(["a", "b", "c"]);
});

test("a status does not go back", () => {
  const statuses: MessageStatus[] = ["queued", "sent", "delivered", "read"];
  for (const [before, one] of statuses.entries()) {
    for (const [after, other] of statuses.entries()) {
      expect(joined([message("a", 1, { status: one })], [message("a", 1, { status: other })])[0]?.status).toBe(statuses[Math.max(before, after)]);
    }
  }
});

test("a message counts as unread once, however often it is reported", () => {
  let state = withMessage(begun, message("a", 1), true);
  state = withMessage(state, message("a", 1), true);
  expect(unreadOf(state)).toBe(1);
  state = withMessage(state, message("a", 1, { status: "read" }), false);
  expect(unreadOf(state)).toBe(1); // the conversation says so
  expect(state.threads["c"]?.messages).toHaveLength(1);
});

test("the customer's own messages and older ones are not unread", () => {
  const known = withConversation(begun, conversation({ lastMessage: message("b", 5), lastActivityAt: at(5), unreadCount: 1 }));
  expect(unreadOf(withMessage(known, message("a", 3), true))).toBe(1);
  expect(unreadOf(withMessage(known, message("b", 5), true))).toBe(1);
  expect(unreadOf(withMessage(known, message("d", 6, { from: "customer" }), true))).toBe(1);
});

test("a message of a log that was not read yet waits for the log", () => {
  const state = withMessage({ ...begun, threads: {} }, message("a", 1), true);
  expect(state.threads).toEqual({});
  expect(state.conversations[0]?.lastMessage?.id).toBe("a");
});

test("the conversation with the newest activity comes first", () => {
  const two = withConversation(begun, conversation({ id: "d", lastActivityAt: at(4) }));
  expect(two.conversations.map(({ id }) => id)).toEqual(["d", "c"]);
  expect(withMessage(two, message("a", 9), true).conversations.map(({ id }) => id)).toEqual(["c", "d"]);
});

test("pages of a log", () => {
  const page = (ids: string[], minute: number, next = "") => ({ data: ids.map((id, i) => message(id, minute + i)), has_more: next !== "", next_cursor: next });
  let log = withPage(emptyLog, page(["d", "e"], 4, "before-d"), true);
  expect(log.older).toBe("before-d");
  log = withPage(log, page(["b", "c"], 2, "before-b"), false);
  expect(log.messages.map(({ id }) => id)).toEqual(["b", "c", "d", "e"]);
  expect(log.older).toBe("before-b");
  // Reading the newest page again keeps the known messages if it reaches back to them.
  log = withPage(log, page(["e", "f"], 5, "before-e"), true);
  expect(log.messages.map(({ id }) => id)).toEqual(["b", "c", "d", "e", "f"]);
  expect(log.older).toBe("before-b");
  log = withPage(log, page(["m", "n"], 20, "before-m"), true);
  expect(log.messages.map(({ id }) => id)).toEqual(["m", "n"]);
  expect(log.older).toBe("before-m");
});

test("a message that the stream has delivered is no longer pending", () => {
  const pending = { key: "k", conversationId: "c", content: "x", attachments: [], fault: "" };
  const state = { ...begun, pending: [pending, { ...pending, key: "l", arrived: true }, { ...pending, key: "m", conversationId: null }] };
  expect(pendingOf(state, "c").map(({ key }) => key)).toEqual(["k"]);
  expect(pendingOf(state, null).map(({ key }) => key)).toEqual(["m"]);
});

test("an outdated conversation does not remove newer messages", () => {
  const one = message("a", 1);
  let state = withMessage(withMessage(begun, one, true), message("b", 2), true);
  state = withConversation(state, conversation({ lastMessage: { ...one, status: "read" }, lastActivityAt: at(1), unreadCount: 0 }));
  expect(state.conversations[0]).toMatchObject({ lastMessage: { id: "b" }, lastActivityAt: at(2), unreadCount: 1 });
  state = withConversation(state, conversation({ lastMessage: message("b", 2, { status: "read" }), lastActivityAt: at(2), unreadCount: 0 }));
  expect(unreadOf(state)).toBe(0);
});
