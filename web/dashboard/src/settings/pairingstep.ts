// The steps of a pairing, and the drawing of a QR code.
import type { Pairing } from "../api/numbers";

/** Returns the later of two steps of one pairing, because answers may arrive out of order. */
export function newerStep(known: Pairing | null, answer: Pairing): Pairing {
  return known && known.updatedAt > answer.updatedAt ? known : answer;
}

/** Whether a pairing has ended. */
export function isOver({ kind }: Pick<Pairing, "kind">): boolean {
  return kind === "paired" || kind === "expired" || kind === "refused";
}

/** The whole seconds for which a code is still valid; 0 if it has expired, null if it does not expire. */
export function secondsLeft(until: string | null, now: number): number | null {
  return until === null ? null : Math.max(0, Math.ceil((Date.parse(until) - now) / 1000));
}

/** The number of light modules that a QR code needs around it (ISO/IEC 18004, 6.3.8). */
export const quietZone = 4;

/** The dark modules as the path of an SVG whose unit is a module: a strip for each run in a row. */
export function qrPath(matrix: readonly string[]): string {
  const strips: string[] = [];
  matrix.forEach((row, y) => {
    for (const { index, 0: run } of row.matchAll(/1+/g)) strips.push(`M${index + quietZone} ${y + quietZone}h${run.length}v1h-${run.length}z`);
  });
  return strips.join("");
}
