import { expect, test } from "vitest";
import { contrast, inkOn, rgbOf } from "../../../shared/ink";
import { readable } from "./color";

const colors = Array.from({ length: 2000 }, (_, i) => `#${((i * 8387 * 1009) % 0x1000000).toString(16).padStart(6, "0")}`).concat("#000000", "#ffffff", "#777777", "#ffff00", "#00ffff");

test("text on any colour is readable", () => {
  for (const color of colors) expect(contrast(rgbOf(color), rgbOf(inkOn(color))), color).toBeGreaterThanOrEqual(4.5);
});

test("any colour as text is readable on light and on dark", () => {
  for (const color of colors) {
    expect(contrast(rgbOf(readable(color, false)), [255, 255, 255]), color).toBeGreaterThanOrEqual(4.5);
    expect(contrast(rgbOf(readable(color, true)), [30, 36, 35]), color).toBeGreaterThanOrEqual(4.5);
  }
});

test("a readable colour stays as it is", () => expect(readable("#1f5c4d", false)).toBe("#1f5c4d"));

test.each([
  ["#767676", "#ffffff"], // white has 4.54:1
  ["#777777", "#000000"], // white has 4.48:1
  ["#000000", "#ffffff"],
  ["#ffffff", "#000000"],
  ["#1f5c4d", "#ffffff"],
  ["#ffd400", "#000000"],
])("the ink on %s is %s", (color, ink) => expect(inkOn(color)).toBe(ink));
