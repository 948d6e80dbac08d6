import { describe, expect, it } from "vitest";
import { parseWhen, presets } from "./when";

const at = (text: string) => new Date(text).getTime();
const said = (time: number | null) => (time === null ? null : new Date(time - new Date(time).getTimezoneOffset() * 60_000).toISOString().slice(0, 16));

describe("times as people say them", () => {
  const friday = at("2026-11-20T10:10:00"); // a Friday, by the clocks here
  it.each([
    ["tomorrow 9", "2026-11-21T09:00"],
    ["morgen", "2026-11-21T09:00"],
    ["heute 18 uhr", "2026-11-20T18:00"],
    ["mo 14:30", "2026-11-23T14:30"],
    ["monday at 2 pm", "2026-11-23T14:00"],
    ["fr 14", "2026-11-20T14:00"],
    ["fr 9", "2026-11-27T09:00"],
    ["next week", "2026-11-23T09:00"],
    ["in 2 h", "2026-11-20T12:10"],
    ["45min", "2026-11-20T10:55"],
    ["3d", "2026-11-23T09:00"],
    ["2 wochen 8:15", "2026-12-04T08:15"],
    ["24.12.", "2026-12-24T09:00"],
    ["1.3. um 7", "2027-03-01T07:00"],
    ["24 dec 16:00", "2026-12-24T16:00"],
    ["Dez 24", "2026-12-24T09:00"],
    ["2026-12-01 1430", "2026-12-01T14:30"],
    ["17", "2026-11-20T17:00"],
    ["9", "2026-11-21T09:00"],
  ])("%s", (text, want) => expect(said(parseWhen(text, friday))).toBe(want));

  it.each(["", "x", "25:00", "today 9", "31.2.", "20.11.2025", "2099-01-01", "in 9999 w", "13 pm", "m", "9".repeat(100), "d ".repeat(5000)])("%s names no time", (text) => {
    expect(parseWhen(text, friday)).toBeNull();
  });

  it("offers times to come, in order", () => {
    for (let day = 16; day < 23; day++) {
      for (const hour of [0, 8, 15, 20, 23]) {
        const now = at(`2026-11-${day}T${String(hour).padStart(2, "0")}:40:00`);
        const offered = presets(now);
        expect(offered[0]?.at).toBeGreaterThan(now);
        expect(offered.map((one) => one.at)).toEqual([...new Set(offered.map((one) => one.at))].sort((a, b) => a - b));
      }
    }
    expect(presets(friday).map((one) => [one.name, said(one.at)])).toEqual([
      ["later", "2026-11-20T13:30"],
      ["tomorrow", "2026-11-21T09:00"],
      ["monday", "2026-11-23T09:00"],
      ["week", "2026-11-27T09:00"],
    ]);
  });
});
