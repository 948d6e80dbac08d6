// The shop's colour, made readable: WCAG requires a contrast of 4.5:1 between
// text and its background, for every colour that the shop may choose.

type Rgb = readonly [number, number, number];

export function rgbOf(hex: string): Rgb {
  const found = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(hex);
  return found ? [parseInt(found[1] ?? "", 16), parseInt(found[2] ?? "", 16), parseInt(found[3] ?? "", 16)] : [15, 107, 90];
}

export function contrast(a: Rgb, b: Rgb): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: Rgb): number {
  const [r, g, b] = color.map((part) => {
    const x = part / 255;
    return x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

const white: Rgb = [255, 255, 255];
const black: Rgb = [0, 0, 0];
const night: Rgb = [30, 36, 35];

/** White if it is readable, otherwise the better of white and black, one of which always is. */
export function inkOn(hex: string): string {
  const color = rgbOf(hex);
  return contrast(color, white) >= 4.5 || contrast(color, white) >= contrast(color, black) ? "#ffffff" : "#000000";
}

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
