import { expect, test } from "vitest";
import { amountOf, millionthsOf } from "./price";

test("prices are typed with a point or a comma", () => {
  const cases: [string, number | null][] = [
    ["2.5", 2_500_000],
    [" 2,50 ", 2_500_000],
    ["0", 0],
    ["0.000001", 1],
    ["100000", 100_000_000_000],
    ["", null],
    ["-1", null],
    ["1.2.3", null],
    ["1,000.00", null],
    ["1e3", null],
    ["0.0000001", null],
  ];
  for (const [text, want] of cases) expect(millionthsOf(text), text).toBe(want);
  for (const millionths of [0, 1, 150_000, 2_500_000]) expect(millionthsOf(amountOf(millionths)), String(millionths)).toBe(millionths);
});
