import { expect, test } from "vitest";
import type { EventOf, LogEvent } from "../api/types";
import { conversation, event, message, time } from "../sync/world.fixture";
import { callOf, mayCall } from "./decide";

const moved = { unreadCount: 1, lastActivityAt: time(1), updatedAt: time(1), waitingSince: time(1), wokeAt: null, contactLastActivityAt: time(1) };
const wrote = (more: Partial<EventOf<"message.created">> = {}): LogEvent => ({ ...event(1, "message.created", message("m", "c", 1), "c"), moved, ...more });

test("a customer's message alerts, and nobody else's", () => {
  expect(mayCall(wrote(), "usr_me")).toBe("c");
  expect(mayCall(wrote({ moved: { ...moved, contactLastActivityAt: null } }), "usr_me")).toBeNull(); // a backfill
  expect(mayCall(wrote({ data: message("m", "c", 1, { messageType: "outgoing" }) }), "usr_me")).toBeNull();
  expect(mayCall(wrote({ actor: { type: "member", id: "usr_me", name: "Me" } }), "usr_me")).toBeNull();
  expect(mayCall(event(1, "contact.created", {}), "usr_me")).toBeNull();
});

test("being assigned a conversation alerts, unless the member did it", () => {
  const me = { id: "usr_me", name: "Me", image: "" };
  const assigned = { ...event(1, "conversation.updated", conversation("c", 1, { assignee: me }), "c"), changed: ["assignee"] };
  expect(mayCall(assigned, "usr_me")).toBe("c");
  expect(mayCall(assigned, "usr_other")).toBeNull();
  expect(mayCall({ ...assigned, changed: ["labels"] }, "usr_me")).toBeNull();
  expect(mayCall({ ...assigned, actor: { type: "member", id: "usr_me", name: "Me" } }, "usr_me")).toBeNull();
  expect(callOf(assigned, conversation("c", 1, { assignee: me }), "usr_me")).toEqual({ conversationId: "c", title: "Assigned to you", text: "Ann" });
});

test("a member is alerted for their own conversations and unassigned ones", () => {
  const other = { id: "usr_other", name: "Bo", image: "" };
  expect(callOf(wrote(), conversation("c", 1), "usr_me")).toEqual({ conversationId: "c", title: "Ann", text: "m" });
  expect(callOf(wrote(), conversation("c", 1, { assignee: { ...other, id: "usr_me" } }), "usr_me")).not.toBeNull();
  expect(callOf(wrote(), conversation("c", 1, { assignee: other }), "usr_me")).toBeNull();
  expect(callOf(wrote({ data: message("m", "c", 1, { content: "x".repeat(500) }) }), conversation("c", 1), "usr_me")?.text).toHaveLength(120);
});
