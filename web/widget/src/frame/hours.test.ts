import { expect, test } from "vitest";
import english from "../../../../internal/words/chat/en.json";
import { replyLine } from "./hours";
import { speak, tongueOf } from "./language";
import { clock } from "./words";

// All in the zone of whoever runs the test.
const at = (day: number, hour: number, minute = 0) => new Date(2026, 10, day, hour, minute);
const span = (day: number, from = 9, to = 17) => ({ begin: at(day, from).toISOString(), end: at(day, to).toISOString() });
const line = (now: Date, ...upcoming: { begin: string; end: string }[]) => replyLine({ replyTime: "Soon", upcoming }, now);
speak(tongueOf(["en"]), english);
const nine = clock(at(23, 9).toISOString());

test("within the hours, and without any, the reply time counts", () => {
  expect(line(at(23, 9), span(23))).toBe("Soon");
  expect(line(at(23, 16, 59), span(23))).toBe("Soon");
  expect(replyLine({ replyTime: "Soon", upcoming: null }, at(23, 3))).toBe("Soon");
  expect(line(at(23, 3))).toBe("Soon");
});

test("outside, it is said when somebody is back", () => {
  expect(line(at(23, 8, 59), span(23))).toBe(`Back today at ${nine}`);
  expect(line(at(22, 23, 59), span(23))).toBe(`Back tomorrow at ${nine}`);
  // 23 November 2026 is a Monday.
  expect(line(at(20, 17), span(20), span(23))).toBe(`Back on Monday at ${nine}`);
  expect(line(at(17, 9), span(23))).toBe(`Back on Monday at ${nine}`);
  expect(line(at(16, 9), span(23))).toMatch(/^Back on .*23.* at /);
});

test("hours that are over are passed over", () => {
  expect(line(at(23, 12), span(23, 9, 12), span(23, 13, 17))).toBe(`Back today at ${clock(at(23, 13).toISOString())}`);
  expect(line(at(24, 18), span(23), span(24))).toBe("Soon");
});
