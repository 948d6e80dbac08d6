// Black or white on any colour, by the contrast of WCAG 2.2 (1.4.3): the chat and
// its preview in the dashboard choose alike.

export type Rgb = readonly [number, number, number];

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

export const white: Rgb = [255, 255, 255];

/** White if it is readable, otherwise black. One of them has a contrast of 4.5:1 on every colour. */
export function inkOn(hex: string): "#ffffff" | "#000000" {
  return contrast(rgbOf(hex), white) >= 4.5 ? "#ffffff" : "#000000";
}
