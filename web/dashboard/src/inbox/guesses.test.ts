import { expect, test } from "vitest";
import type { EventOf, LogEvent } from "../api/types";
import { event } from "../sync/world.fixture";
import { concerns } from "./guesses";

const pair = { id: "p", contact: { id: "a", name: "Ann" }, other: { id: "b", name: "Bo", email: "x@x.example" }, email: "x@x.example", phoneNumber: null, createdAt: "2026-11-21T10:00:00.000Z" };

test("duplicates are read again when one comes or goes, and when a displayed name changes", () => {
  const asks = <T extends LogEvent["type"]>(type: T, data: Partial<EventOf<T>["data"]>, contactId = "a", shown = [pair]) => concerns(event(1, type, data), contactId, shown);
  expect(asks("contact_duplicate.created", pair, "a", [])).toBe(true);
  expect(asks("contact_duplicate.created", pair, "b", [])).toBe(true);
  expect(asks("contact_duplicate.deleted", { id: "p" }, "a", [])).toBe(true);
  expect(asks("contact.updated", { id: "b" })).toBe(true);
});

test("sign-ins of other customers cause no request", () => {
  const asks = <T extends LogEvent["type"]>(type: T, data: Partial<EventOf<T>["data"]>) => concerns(event(1, type, data), "c", []);
  expect(asks("contact_duplicate.created", pair)).toBe(false);
  expect(asks("contact.updated", { id: "c" })).toBe(false);
  expect(asks("contact.created", { id: "d" })).toBe(false);
  expect(asks("message.created", { id: "m" })).toBe(false);
});
