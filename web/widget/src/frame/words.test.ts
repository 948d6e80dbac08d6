import { expect, test } from "vitest";
import english from "../../../../internal/words/chat/en.json";
import { initials } from "../../../shared/names";
import { listed, size, speak, tongueOf } from "./language";
import { ago, day } from "./words";

speak(tongueOf(["en"]), english);

test.each([
  ["Mara Okafor", "MO"],
  ["  Ann  ", "A"],
  ["Ana de la Cruz", "AC"],
  ["🎈 Balloons", "🎈B"],
  ["", "?"],
])("initials of %j", (name, want) => expect(initials(name)).toBe(want));

test.each([
  [999, "999 byte"],
  [1500, "2 kB"],
  [1_234_567, "1.2 MB"],
])("size of %d bytes", (bytes, want) => expect(size(bytes)).toBe(want));

test("days count midnights, not hours", () => {
  const now = new Date(2026, 10, 21, 0, 30);
  expect(day(new Date(2026, 10, 21, 0, 10).toISOString(), now)).toBe("Today");
  expect(day(new Date(2026, 10, 20, 23, 50).toISOString(), now)).toBe("Yesterday");
  expect(day(new Date(2026, 10, 22, 1, 0).toISOString(), now)).toBe("Today"); // the clock is slow
  expect(day(new Date(2025, 10, 22).toISOString(), now)).toContain("2025");
});

test("times of the list", () => {
  const now = Date.parse("2026-11-21T10:00:00Z");
  expect(ago("2026-11-21T10:00:20Z", now)).toBe("now");
  expect(ago("2026-11-21T09:56:00Z", now)).toBe("4 min");
  expect(ago("2026-11-21T07:56:00Z", now)).toBe("2 h");
});

test("names in a row", () => {
  expect(listed([])).toBe("");
  expect(listed(["Ann"])).toBe("Ann");
  expect(listed(["Ann", "Ben", "Cem"])).toBe("Ann, Ben, and Cem");
});
