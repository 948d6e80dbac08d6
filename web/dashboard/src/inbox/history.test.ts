import { expect, test } from "vitest";
import type { Actor, HistoryEntry, LogEvent } from "../api/types";
import { actorName, entryOf, folded, linesOf, sentence, type Line } from "./history";

const ann: Actor = { type: "member", id: "usr_a", name: "Ann" };
const bo: Actor = { type: "member", id: "usr_b", name: "Bo" };
const nameOf = (id: string) => ({ usr_a: "Ann", usr_b: "Bo Now" })[id];

let minute = 0;
const entry = (actor: Actor, changes: Record<string, unknown>, type: HistoryEntry["type"] = "conversation.updated"): HistoryEntry => ({
  id: `e${++minute}`,
  conversationId: "c",
  type,
  createdAt: new Date(Date.UTC(2026, 10, 23, 9, minute)).toISOString(),
  actor,
  cause: null,
  imported: false,
  changes: changes,
});
const said = (entries: HistoryEntry[]) => linesOf(entries).map((line) => sentence(line, nameOf));

test("each change has its words, and labels say what was added and removed", () => {
  const member = (of: Actor) => ({ id: of.id, name: of.name, image: "" });
  expect(
    said([
      entry({ type: "customer", id: "x", name: "" }, { status: "open", labels: ["vip"], assignee: null }, "conversation.created"),
      entry(ann, { assignee: member(ann) }),
      entry(bo, { assignee: member(ann), labels: ["vip", "refund"], priority: "high" }),
      entry(ann, { labels: ["refund"], status: "resolved", priority: null }),
      entry({ type: "key", id: "k", name: "Shop" }, { status: "open", spam: true, product: { id: "p", name: "Trail App" }, assignee: null }),
      entry({ type: "system", id: "", name: "" }, { contactId: "y", product: null }),
      entry(ann, { unknown: 1 }),
      entry(ann, { snoozedUntil: null, status: "open" }),
    ]),
  ).toEqual([
    "Ann took it",
    "Bo Now assigned Ann, labelled refund, set the priority to high",
    "Ann resolved it, removed the label vip, removed the priority",
    "Shop reopened it, removed the assignee, moved it to Trail App, marked it as spam",
    "Parley removed the product, merged its contact",
    "Ann reopened it",
  ]);
  expect(said([entry(ann, { assignee: member(bo) }, "conversation.created")])).toEqual(["Ann started the conversation, assigned Bo"]);
  expect(actorName({ type: "member", id: "usr_gone", name: "Cy" }, nameOf)).toBe("Cy");
});

test("lines fold if one actor acted shortly before and nothing stands between", () => {
  const line = (actor: Actor, seconds: number, part: string): Line => ({ id: part, at: new Date(seconds * 1000).toISOString(), actor, parts: [part] });
  const first = line(ann, 0, "a");
  expect(folded(first, line(ann, 299, "b"))?.parts).toEqual(["a", "b"]);
  expect(folded(first, line(ann, 300, "b"))).toBeUndefined();
  expect(folded(first, line(bo, 1, "b"))).toBeUndefined();
  expect(folded(undefined, first)).toBeUndefined();
});

test("an event becomes the entry that the history has of it", () => {
  const data = { id: "c", status: "resolved", labels: ["a"], contact: { id: "x" }, unreadCount: 0 };
  const event = {
    seq: 7,
    type: "conversation.updated",
    createdAt: "2026-11-23T09:00:00.000Z",
    actor: ann,
    cause: null,
    imported: false,
    conversationId: "c",
    changed: ["status", "unreadCount", "contact"],
    data,
  };
  expect(entryOf(event as unknown as LogEvent)).toMatchObject({ id: "7", changes: { status: "resolved", contactId: "x" } });
  expect(entryOf({ ...event, changed: ["unreadCount"] } as unknown as LogEvent)).toBeUndefined();
  expect(entryOf({ ...event, type: "conversation.created" } as unknown as LogEvent)).toBeUndefined();
});

test("a split says so on both sides, leads across, and can be taken back until it is", () => {
  const off = entry(ann, { splitInto: "n" });
  const back = entry(ann, { mergedFrom: "n" });
  expect(said([off])).toEqual(["Ann split messages off into a new conversation"]);
  expect(linesOf([off])[0]).toMatchObject({ other: "n", split: "n" });
  expect(linesOf([off, back])[0]).not.toHaveProperty("split");
  const made = entry(ann, { splitFrom: "c", assignee: { id: bo.id, name: bo.name } }, "conversation.created");
  expect(said([made])).toEqual(["Ann split it from another one"]);
  expect(linesOf([made])[0]).toMatchObject({ other: "c" });
  const event = {
    seq: 9,
    type: "conversation.split",
    createdAt: off.createdAt,
    actor: ann,
    cause: null,
    imported: false,
    conversationId: "n",
    changed: [],
    data: { id: "n", fromId: "c", messageId: "m" },
  } as LogEvent;
  expect(entryOf(event)).toMatchObject({ conversationId: "c", changes: { splitInto: "n" } });
});
