import { expect, test } from "vitest";
import { countTicks, durationTicks, labelled } from "./scale";

test.each([
  [0, ["0", "1"]],
  [1, ["0", "1"]],
  [3, ["0", "1", "2", "3"]],
  [9, ["0", "5", "10"]],
  [41, ["0", "20", "40", "60"]],
  [4000, ["0", "1,000", "2,000", "3,000", "4,000"]],
])("an axis of counts up to %s", (max, labels) => {
  const ticks = countTicks(max);
  expect(ticks.map((t) => t.label)).toEqual(labels);
  expect(ticks.at(-1)?.value).toBeGreaterThanOrEqual(max);
});

test.each([
  [0, ["0", "1 s"]],
  [50, ["0", "15 s", "30 s", "45 s", "60 s"]],
  [7000, ["0", "30 min", "60 min", "90 min", "120 min"]],
  [80_000, ["0", "6 h", "12 h", "18 h", "24 h"]],
  [86_400 * 1000, ["0", "250 d", "500 d", "750 d", "1000 d"]],
])("an axis of times up to %s seconds", (max, labels) => {
  expect(durationTicks(max).map((t) => t.label)).toEqual(labels);
});

test("labels keep their distance", () => {
  expect(labelled(7, 1)).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(labelled(30, 6.2)).toEqual([0, 7, 14, 21, 28]);
  expect(labelled(0, 3)).toEqual([]);
});
