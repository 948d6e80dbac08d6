import { expect, test } from "vitest";
import { createRecent } from "./recent";

test("values stay for a while, and the oldest make room", () => {
  let now = 1000;
  const recent = createRecent<number>(2, 100, () => now);
  recent.set("a", 1);
  recent.set("b", 2);
  recent.set("a", 3);
  recent.set("c", 4);
  expect(["a", "b", "c"].map(recent.get)).toEqual([3, undefined, 4]);
  now = 1099;
  recent.set("c", 5);
  now = 1100;
  expect(["a", "c"].map(recent.get)).toEqual([undefined, 5]);
  recent.clear();
  expect(recent.get("c")).toBeUndefined();
});
