import { expect, test } from "vitest";
import type { Conversation } from "../api/types";
import { filterKey, matches } from "./lists";
import type { Filter } from "./state";
import { conversation, time } from "./world.fixture";

test("a conversation belongs to what the server would list", () => {
  const cases: [Filter, Partial<Conversation>, Partial<Conversation>][] = [
    [{ label: "a" }, { labels: ["b", "a"] }, { labels: ["b"] }],
    [{ label: "a\nb" }, { labels: ["b", "a"] }, { labels: ["a"] }],
    [{ notLabel: "a" }, { labels: ["b"] }, { labels: ["b", "a"] }],
    [{ priority: "high" }, { priority: "high" }, { priority: null }],
    [{ priority: "none" }, { priority: null }, { priority: "low" }],
    [{ teamId: "t" }, { team: { id: "t", name: "T" } }, { team: null }],
    [{ teamId: "none" }, { team: null }, { team: { id: "t", name: "T" } }],
    [{ snoozed: "true" }, { status: "pending", snoozedUntil: time(9) }, { status: "pending" }],
    [{ snoozed: "false" }, { status: "pending" }, { status: "pending", snoozedUntil: time(9) }],
    [{ woke: "true" }, { wokeAt: time(1) }, {}],
    [{ activeAfter: "2026-11-20T09:00:05Z" }, { lastActivityAt: time(5) }, { lastActivityAt: time(4) }],
    [{ activeBefore: "2026-11-20T10:00:05+01:00" }, { lastActivityAt: time(4) }, { lastActivityAt: time(5) }],
  ];
  for (const [filter, within, without] of cases) {
    expect([filter, matches(filter, conversation("a", 1, within), new Map())]).toEqual([filter, true]);
    expect([filter, matches(filter, conversation("a", 1, without), new Map())]).toEqual([filter, false]);
  }
  expect(new Set(cases.map(([filter]) => filterKey(filter))).size).toBe(cases.length);
});
