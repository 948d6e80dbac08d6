import { expect, test } from "vitest";
import { dayLabel, holidaysFault, hoursOf, intervalsIn, weekOf, zonesWith } from "./hours";

test("times are read as people write them", () => {
  expect(intervalsIn("")).toEqual([]);
  expect(intervalsIn("9-17")).toEqual(["09:00-17:00"]);
  expect(intervalsIn(" 9:00 – 12:30 ; 13.30—24 ")).toEqual(["09:00-12:30", "13:30-24:00"]);
  for (const wrong of ["nine", "9", "17-9", "9-9", "9-25", "9:60-10", "9-12-15", "9-12,11-13", "1-2,3-4,5-6,7-8,9-10"]) expect(intervalsIn(wrong), wrong).toBeNull();
});

test("a week survives both ways", () => {
  const hours = ["monday 09:00-12:00", "monday 13:00-17:00", "sunday 10:00-24:00"];
  expect(weekOf(hours).monday).toBe("09:00–12:00, 13:00–17:00");
  expect(weekOf(hours).tuesday).toBe("");
  expect(hoursOf(weekOf(hours))).toEqual(hours);
});

test("dates are checked", () => {
  expect(holidaysFault("2026-12-25\n 2027-01-01 ")).toBeUndefined();
  expect(holidaysFault("2026-02-30")).toBeDefined();
  expect(holidaysFault("25.12.2026")).toBeDefined();
});

test("days begin with Monday, and a stored zone is offered", () => {
  expect(dayLabel("monday")).toBe("Monday");
  expect(zonesWith("Mars/Olympus")).toContain("Mars/Olympus");
});
