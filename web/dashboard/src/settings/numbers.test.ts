import { describe, expect, test } from "vitest";
import type { Budget, ChatNumber, Pairing } from "../api/numbers";
import { fullness, limitOf, usedText } from "./budget";
import { actionsOf, standingOf } from "./numberstate";
import { isOver, newerStep, qrPath, secondsLeft } from "./pairingstep";

const now = Date.parse("2026-11-21T10:00:00.000Z");
const later = "2026-11-21T12:00:00.000Z";
const number: ChatNumber = {
  id: "n",
  phone: "+4930555020",
  driver: "whatsapp",
  status: "connected",
  until: null,
  restrictedUntil: null,
  reason: "",
  enabled: true,
  paired: true,
  inboxId: "i",
  createdAt: "",
  updatedAt: "",
};

describe("a number", () => {
  test.each<[string, Partial<ChatNumber>, RegExp]>([
    ["Connected", {}, /^$/],
    ["Restricted", { restrictedUntil: later }, /^Until 21 November 2026/],
    ["Connected", { restrictedUntil: "2026-11-21T10:00:00.000Z" }, /^$/],
    ["Pairing", { status: "pairing", paired: false }, /phone/],
    ["Logged out", { status: "logged_out", paired: false, reason: "the phone removed this device" }, /^The phone removed this device\. Pair it again/],
    ["Banned", { status: "banned", until: later, reason: "code 104" }, /^Until 21 November 2026.*Code 104\./],
    ["Banned", { status: "banned", reason: "103: you created too many groups" }, /You created too many groups \(103\)\. Messages wait/],
    ["Banned", { status: "banned" }, /^The end is unknown/],
    ["Needs a newer Parley", { status: "outdated" }, /Update the server/],
    ["Not paired", { status: "disconnected", paired: false }, /Pair it/],
    ["Disconnected", { status: "disconnected", enabled: false }, /wait/],
    ["Connecting", { status: "disconnected", reason: "the connection was lost" }, /^The connection was lost\.$/],
  ])("is %s as %j", (label, more, note) => {
    const standing = standingOf({ ...number, ...more }, now);
    expect(standing.label).toBe(label);
    expect(standing.note).toMatch(note);
  });

  test("offers the possible actions", () => {
    expect(actionsOf(number)).toEqual(["disconnect", "logOut"]);
    expect(actionsOf({ ...number, enabled: false })).toEqual(["reconnect", "logOut"]);
    expect(actionsOf({ ...number, paired: false, enabled: false })).toEqual(["pair"]);
    expect(actionsOf({ ...number, status: "pairing", paired: false })).toEqual([]);
    expect(actionsOf({ ...number, driver: "sandbox" })).toEqual(["disconnect"]);
  });
});

describe("a pairing", () => {
  const step = (kind: Pairing["kind"], updatedAt: string): Pairing => ({ numberId: "n", by: "qr", kind, code: "", matrix: [], until: null, reason: "", updatedAt });

  test("is at the newest step that was read, in whatever order", () => {
    const first = step("starting", "2026-11-21T10:00:00.000Z");
    const second = step("qr_code", "2026-11-21T10:00:00.100Z");
    expect(newerStep(null, first)).toBe(first);
    expect(newerStep(first, second)).toBe(second);
    expect(newerStep(second, first)).toBe(second);
    const same = step("paired", second.updatedAt);
    expect(newerStep(second, same)).toBe(same);
  });

  test("ends in one of three ways", () => {
    expect((["starting", "qr_code", "phone_code", "paired", "expired", "refused"] as const).filter((kind) => isOver({ kind }))).toEqual(["paired", "expired", "refused"]);
  });

  test("shows how long its code is valid", () => {
    expect(secondsLeft("2026-11-21T10:00:19.001Z", now)).toBe(20);
    expect(secondsLeft("2026-11-21T09:59:00.000Z", now)).toBe(0);
    expect(secondsLeft(null, now)).toBeNull();
  });

  test("is drawn as the runs of each row, with the margin around them", () => {
    expect(qrPath(["110", "001"])).toBe("M4 4h2v1h-2zM6 5h1v1h-1z");
    expect(qrPath(["1011"])).toBe("M4 4h1v1h-1zM6 4h2v1h-2z");
    expect(qrPath(["000"])).toBe("");
  });
});

describe("a budget", () => {
  const budget: Budget = { budget: "groupsPerHour", limit: 5, default: 5, used: 3 };

  test.each<[string, number | null | undefined]>([
    ["12", 12],
    [" 0 ", 0],
    ["", null],
    ["100000", 100_000],
    ["100001", undefined],
    ["-1", undefined],
    ["1.5", undefined],
    ["many", undefined],
  ])("%j sets %j", (text, limit) => {
    expect(limitOf(text)).toBe(limit);
  });

  test("shows how much is used", () => {
    expect(usedText(budget)).toBe("3 of 5 used");
    expect(usedText({ ...budget, limit: null })).toBe("3 used");
    expect([fullness(budget), fullness({ ...budget, used: 9 }), fullness({ ...budget, limit: 0, used: 0 }), fullness({ ...budget, limit: null })]).toEqual([0.6, 1, 1, 0]);
  });
});
