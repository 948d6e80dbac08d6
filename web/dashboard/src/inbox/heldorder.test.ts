import { expect, test } from "vitest";
import { arrange, hold, neighbour, nextPlace } from "./heldorder";

const list = (text: string) => text.split("");
const text = (ids: readonly string[]) => ids.join("");

test("the current row keeps its place among its neighbours", () => {
  const arranged = (live: string, shown: string, current: string | undefined) => text(arrange(list(live), list(shown), current));
  expect(arranged("cabd", "abcd", undefined)).toBe("cabd");
  expect(arranged("cabd", "abcd", "c")).toBe("abcd"); // answered: it would be first
  expect(arranged("abd", "abcd", "c")).toBe("abcd"); // resolved: it would be gone
  expect(arranged("xdab", "abcd", "c")).toBe("xcdab"); // its next neighbour moved up
  expect(arranged("ab", "abcd", "d")).toBe("abd");
  expect(arranged("", "abc", "b")).toBe("b");
  expect(arranged("xy", "ab", "b")).toBe("bxy");
  expect(arranged("abc", "abc", "z")).toBe("abc");
});

test("a held list stays, counts what is new, and accepts the next pages", () => {
  const held = (live: string, shown: string, current?: string) => {
    const { ids, gone, news } = hold(list(live), list(shown), current);
    return [text(ids), text([...gone]), news];
  };
  expect(held("abc", "abc")).toEqual(["abc", "", 0]);
  expect(held("xabc", "abc")).toEqual(["abc", "", 1]);
  expect(held("cab", "abc")).toEqual(["abc", "", 1]);
  expect(held("cxab", "abc")).toEqual(["abc", "", 2]);
  expect(held("cab", "abc", "c")).toEqual(["abc", "", 0]); // the member is reading it
  expect(held("cxab", "abc", "c")).toEqual(["abc", "", 1]);
  expect(held("ac", "abc")).toEqual(["abc", "b", 0]);
  expect(held("abcdef", "abc")).toEqual(["abcdef", "", 0]);
  expect(held("xacde", "abc")).toEqual(["abcde", "b", 1]);
  expect(held("xy", "ab")).toEqual(["ab", "ab", 2]);
  expect(held("", "ab")).toEqual(["ab", "ab", 0]);
});

test("moving skips rows that are gone, and stops at the ends", () => {
  const rows = { ids: list("abcd"), gone: new Set(["b"]) };
  expect(neighbour(rows, "a", 1)).toBe("c");
  expect(neighbour(rows, "c", -1)).toBe("a");
  expect(neighbour(rows, "b", 1)).toBe("c");
  expect(neighbour(rows, "d", 1)).toBeUndefined();
  expect(neighbour(rows, undefined, 1)).toBe("a");
  expect(neighbour(rows, "z", -1)).toBe("a");
});

test("finishing a conversation leads to the next row, or from the last to the one before", () => {
  const rows = { ids: list("abc"), gone: new Set<string>() };
  expect(nextPlace(rows, "a")).toBe("b");
  expect(nextPlace(rows, "c")).toBe("b");
  expect(nextPlace({ ids: ["a"], gone: new Set() }, "a")).toBeUndefined();
  expect(nextPlace(rows, "z")).toBeUndefined();
});
