import { describe, expect, test } from "vitest";
import type { Conversation } from "../api/types";
import { inverseOf } from "./undo";

const base = {
  status: "open",
  snoozedUntil: null,
  priority: null,
  spam: false,
  assignee: null,
  team: null,
  labels: ["a"],
  product: null,
} as unknown as Conversation;
const now = Date.parse("2026-06-01T00:00:00Z");
const future = "2026-06-02T09:00:00.000Z";
const inverse = (before: Partial<Conversation>, after: Partial<Conversation>, ...changed: string[]) => inverseOf({ ...base, ...before }, { ...base, ...after }, changed, now);

describe("a change is taken back", () => {
  test("with what it left as the condition", () => {
    expect(inverse({}, { status: "resolved" }, "status")).toEqual({ status: "open", if: { status: "resolved" } });
    expect(inverse({}, { labels: ["a", "b"] }, "labels")).toEqual({ labels: ["a"], if: { labels: ["a", "b"] } });
  });
  test("and what others changed meanwhile is not", () => {
    expect(inverse({}, { status: "resolved", priority: "high" }, "status")).toEqual({ status: "open", if: { status: "resolved" } });
  });
  test("and sleep ends, or goes on", () => {
    expect(inverse({}, { status: "pending", snoozedUntil: future }, "snoozedUntil")).toEqual({ status: "open", snoozedUntil: null, if: { status: "pending", snoozedUntil: future } });
    expect(inverse({ status: "pending", snoozedUntil: future }, { status: "resolved" }, "status")).toEqual({ snoozedUntil: future, if: { status: "resolved", snoozedUntil: null } });
    expect(inverse({ status: "pending", snoozedUntil: "2026-05-31T09:00:00.000Z" }, { status: "resolved" }, "status")).toEqual({
      status: "pending",
      if: { status: "resolved", snoozedUntil: null },
    });
  });
  test("with the team that a product leads to", () => {
    const led = { product: { id: "p", name: "P" }, team: { id: "t", name: "T" } };
    expect(inverse({}, led, "productId")).toEqual({ productId: null, teamId: null, if: { productId: "p", teamId: "t" } });
  });
  test("unless it changed nothing", () => expect(inverse({}, {}, "status")).toBeNull());
});
