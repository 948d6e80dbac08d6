import { expect, test } from "vitest";
import type { Report, ReportRow } from "../api/types";
import { dayRows, isEmpty, rowName, tableRows } from "./rows";
import { linePath } from "./chart";

const nothing = { count: 0, medianSeconds: null, p90Seconds: null };
const row = (key: string, label: string, opened: number): ReportRow => ({ key, label, opened, resolved: 0, firstResponse: nothing, resolution: nothing });

function report(by: Report["by"], rows: ReportRow[]): Report {
  return {
    from: "2026-11-01",
    to: "2026-11-03",
    by,
    rows,
    total: row(
      "",
      "",
      rows.reduce((sum, r) => sum + r.opened, 0),
    ),
  };
}

test("days without a row are shown as empty days", () => {
  const days = report("day", [row("2026-11-02", "2026-11-02", 4)]);
  expect(dayRows(days).map((r) => [r.key, r.opened])).toEqual([
    ["2026-11-01", 0],
    ["2026-11-02", 4],
    ["2026-11-03", 0],
  ]);
  expect(tableRows(days)[0]?.key).toBe("2026-11-03");
});

test("items are sorted by their count, then by name", () => {
  const products = report("product", [row("b", "Beta", 1), row("a", "Alpha", 1), row("", "", 9)]);
  expect(tableRows(products).map((r) => rowName(products, r))).toEqual(["No product", "Alpha", "Beta"]);
});

test("a report in which nothing happened is empty", () => {
  expect(isEmpty(report("day", []))).toBe(true);
  expect(isEmpty(report("day", [row("2026-11-02", "", 1)]))).toBe(false);
});

test("a line is interrupted where there is no value", () => {
  expect(
    linePath(
      [1, 2, null, 4],
      (i) => i * 10,
      (v) => v,
    ),
  ).toBe("M0 1L10 2M30 4");
});
