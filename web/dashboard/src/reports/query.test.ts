import { describe, expect, test } from "vitest";
import { addDays, dayText, daysBetween, isDay, spanOf } from "./days";
import { lastDays, rangeFault, readQuery, writeQuery } from "./query";

const today = "2026-11-21";

describe("days", () => {
  test("cross months, years and leap days", () => {
    expect(addDays("2028-02-28", 1)).toBe("2028-02-29");
    expect(addDays("2026-01-01", -1)).toBe("2025-12-31");
    expect(daysBetween("2026-02-27", "2026-03-01")).toEqual(["2026-02-27", "2026-02-28", "2026-03-01"]);
    expect(spanOf("2026-01-01", "2026-12-31")).toBe(365);
  });

  test("that do not exist are refused", () => {
    expect(isDay("2026-02-29")).toBe(false);
    expect(isDay("2026-2-9")).toBe(false);
    expect(isDay("")).toBe(false);
    expect(isDay("2028-02-29")).toBe(true);
  });

  test("are formatted independently of the reader's time zone", () => {
    expect(dayText("2026-11-01", "short")).toBe("1 Nov");
  });
});

describe("the query of a report", () => {
  test("is the last 30 days by day if the address has no valid range", () => {
    const usual = { from: "2026-10-23", to: today, by: "day", filter: null };
    expect(readQuery("", today)).toEqual(usual);
    expect(readQuery("?from=2026-11-20&to=2026-11-01&by=colour", today)).toEqual(usual);
    expect(readQuery("?from=2020-01-01&to=2026-11-01", today)).toEqual(usual);
  });

  test("is parsed from its own text", () => {
    const query = { ...lastDays(7, today), by: "day", filter: { dimension: "member", id: "usr_a" } } as const;
    expect(readQuery(`?${writeQuery(query)}`, today)).toEqual(query);
  });

  test("has a filter only by day", () => {
    expect(readQuery("?by=product&memberId=usr_a", today).filter).toBeNull();
    expect(writeQuery({ from: today, to: today, by: "inbox", filter: { dimension: "member", id: "x" } })).not.toContain("memberId");
  });

  test("explains what is wrong with a range", () => {
    expect(rangeFault("2026-11-01", "")).toBe("Enter both days.");
    expect(rangeFault("2026-11-02", "2026-11-01")).toContain("must not be after");
    expect(rangeFault("2025-01-01", "2026-11-01")).toContain("366 days");
    expect(rangeFault("2026-11-01", "2026-11-01")).toBe("");
  });
});
