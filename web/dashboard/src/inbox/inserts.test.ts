import { expect, test } from "vitest";
import { setApart } from "./inserts";

test.each([
  ["", "a", "", "a"],
  ["x", "a", "", "x a"],
  ["x ", "a", "", "x a"],
  ["x", "a", " y", "x a y"],
  ["x", "a\nb", "y", "x\n\na\nb\n\ny"],
  ["x\ny", "a", "", "x\ny\n\na"],
  ["", "a\nb", "\ny", "a\nb\ny"],
])("between %j, %j and %j", (before, words, after, want) => {
  const [apart, blanks] = setApart(words, before, after);
  expect(before + apart + after.slice(blanks)).toBe(want);
});
