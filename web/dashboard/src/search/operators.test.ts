import { expect, test } from "vitest";
import { askable, completed, offered, wordsOf } from "./operators";

const names = { label: ["refund", "Big Deal"], assignee: ["Bo Lee", "Ämilie"] };

test("the words of a search are what is no operator", () => {
  expect(wordsOf('Lamp from:ann -label:"Big Deal" über is: www:x')).toEqual(["lamp", "uber", "www", "x"]);
  expect(wordsOf('in:"still open')).toEqual([]);
  expect(wordsOf('FROM:me"s lamp')).toEqual(["lamp"]);
});

test("operators are offered, then the values of the one that is typed", () => {
  expect(offered("", names).values).toContain("from:");
  expect(offered("lamp ", names).operator).toBeNull();
  expect(offered("lamp is:un", names)).toEqual({ operator: "is", values: ["unread", "unassigned"] });
  expect(offered("-label:", names).values).toEqual(["refund", "Big Deal"]);
  expect(offered('label:"big', names).values).toEqual(["Big Deal"]);
  expect(offered("assignee:am", names).values).toEqual(["Ämilie"]);
  expect(offered("is:open", names).values).toEqual([]);
  expect(offered('label:"Big Deal"', names).operator).toBeNull();
  expect(offered("is:open ", names).operator).toBeNull();
});

test("a half-typed state or date is not asked for", () => {
  for (const text of ["lamp is:o", "has:f", "before:20", "-after:2026-1", "is:o x before:2026-11-"]) expect(askable(text), text).toBe(false);
  for (const text of ["", "lamp", "is:Open", "is:o x", "is:", "before:2026", "after:2026-11-23T10:00:00Z", "from:a"]) expect(askable(text), text).toBe(true);
});

test("an offer completes the text", () => {
  expect(completed("", "from:")).toBe("from:");
  expect(completed("lamp", "from:")).toBe("lamp from:");
  expect(completed("lamp -label:b", "Big Deal")).toBe('lamp -label:"Big Deal" ');
  expect(completed('label:"b', "Big Deal")).toBe('label:"Big Deal" ');
  expect(completed("x is:o", "open")).toBe("x is:open ");
});
