// The shop's colour, made readable: WCAG requires a contrast of 4.5:1 between
// text and its background, for every colour that the shop may choose.
import { contrast, rgbOf, white, type Rgb } from "../../../shared/ink";

const night: Rgb = [30, 36, 35];

/**
 * The colour as text on a light (or dark) surface: unchanged if readable, otherwise darkened (lightened) as little as
 * possible.
 */
export function readable(hex: string, dark: boolean): string {
  let color = rgbOf(hex);
  const [ground, towards] = dark ? [night, 255] : [white, 0];
  for (let i = 0; i < 20 && contrast(color, ground) < 4.8; i++) {
    color = color.map((part) => Math.round(part + (towards - part) * 0.12)) as unknown as Rgb;
  }
  return `#${color.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}
