// The steps of a pairing, and a QR code as a drawing.
import type { Pairing } from "../api/numbers";

/** Of two steps of one pairing the newer one: answers may arrive in another order than they were asked for. */
export function newerStep(known: Pairing | null, answer: Pairing): Pairing {
  return known && known.updatedAt > answer.updatedAt ? known : answer;
}

/** Whether a pairing has come to its end. */
export function isOver({ kind }: Pick<Pairing, "kind">): boolean {
  return kind === "paired" || kind === "expired" || kind === "refused";
}

/** The whole seconds that a code holds; 0 when it does no more, null where it has no end. */
export function secondsLeft(until: string | null, now: number): number | null {
  return until === null ? null : Math.max(0, Math.ceil((Date.parse(until) - now) / 1000));
}

/** The light modules that a QR code needs around it (ISO/IEC 18004, 6.3.8). */
export const quietZone = 4;

/** The dark modules as the path of an SVG whose unit is a module: a strip for each run of a row. */
export function qrPath(matrix: readonly string[]): string {
  const strips: string[] = [];
  matrix.forEach((row, y) => {
    for (const { index, 0: run } of row.matchAll(/1+/g)) strips.push(`M${index + quietZone} ${y + quietZone}h${run.length}v1h-${run.length}z`);
  });
  return strips.join("");
}
