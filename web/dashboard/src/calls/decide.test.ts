import { expect, test } from "vitest";
import type { EventOf, LogEvent } from "../api/types";
import { conversation, event, message, notice, time } from "../sync/world.fixture";
import { callOf, callOfNotice, mayCall } from "./decide";

const moved = { unreadCount: 1, lastActivityAt: time(1), updatedAt: time(1), waitingSince: time(1), wokeAt: null, contactLastActivityAt: time(1) };
const wrote = (more: Partial<EventOf<"message.created">> = {}): LogEvent => ({ ...event(1, "message.created", message("m", "c", 1), "c"), moved, ...more });

test("a customer's message alerts, and nobody else's", () => {
  expect(mayCall(wrote())).toBe("c");
  expect(mayCall(wrote({ moved: { ...moved, contactLastActivityAt: null } }))).toBeNull(); // a backfill
  expect(mayCall(wrote({ data: message("m", "c", 1, { messageType: "outgoing" }) }))).toBeNull();
  expect(mayCall(event(1, "contact.created", {}))).toBeNull();
});

test("an event alerts for conversations that nobody has, and notices for the rest", () => {
  const assignee = { id: "usr_me", name: "Me", image: "" };
  expect(callOf(wrote(), conversation("c", 1), false)).toEqual({ conversationId: "c", title: "Ann", text: "m" });
  expect(callOf(wrote(), conversation("c", 1), true)).toBeNull();
  expect(callOf(wrote(), conversation("c", 1, { spam: true }), false)).toBeNull();
  expect(callOf(wrote(), conversation("c", 1, { assignee }), false)).toBeNull();
  expect(callOf(wrote({ data: message("m", "c", 1, { content: "x".repeat(500) }) }), conversation("c", 1), false)?.text).toHaveLength(120);
});

test("the alert of a notice says who did what", () => {
  expect(callOfNotice(notice("n", "c", 1, { count: 3 }))).toEqual({ conversationId: "c", title: "Bo mentioned you", text: "text of n" });
  expect(callOfNotice(notice("n", "c", 1, { kind: "assigned", text: "" }))).toEqual({ conversationId: "c", title: "Bo assigned you a conversation", text: "Ann" });
  const actor = { type: "customer", id: "contact-c", name: "" } as const;
  expect(callOfNotice(notice("n", "c", 1, { kind: "answered", actor }))).toEqual({ conversationId: "c", title: "Ann", text: "text of n" });
  expect(callOfNotice(notice("n", "c", 1, { kind: "answered", actor, text: "" })).text).toBe("A new message");
});
