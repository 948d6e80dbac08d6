// The arithmetic of the charts.
import { locale } from "../kit/texts";

/** A tick of an axis: its value and its label. */
export interface Tick {
  value: number;
  label: string;
}

/**
 * Returns round counts from 0 up to or past max, four steps or fewer. Counts
 * are whole, so no step is smaller than 1.
 */
export function countTicks(max: number): Tick[] {
  const rough = Math.max(1, max) / 4;
  const magnitude = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, [1, 2, 5, 10].map((n) => n * magnitude).find((n) => n >= rough) ?? rough);
  return ticksOf(step, max, (value) => value.toLocaleString(locale));
}

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** Round steps of time, in seconds, with their unit. */
const steps: readonly [seconds: number, unit: number, name: string][] = [
  ...[1, 2, 5, 10, 15, 30].map((n): [number, number, string] => [n, 1, "s"]),
  ...[1, 2, 5, 10, 15, 30].map((n): [number, number, string] => [n * minute, minute, "min"]),
  ...[1, 2, 3, 6, 12].map((n): [number, number, string] => [n * hour, hour, "h"]),
  ...[1, 2, 5, 10, 20, 50, 100].map((n): [number, number, string] => [n * day, day, "d"]),
];

/** Returns round durations from 0 up to or past max seconds, four steps or fewer. */
export function durationTicks(max: number): Tick[] {
  const [step, unit, name] = steps.find(([seconds]) => seconds * 4 >= max) ?? [Math.ceil(max / 4 / day) * day, day, "d"];
  return ticksOf(step, max, (value) => (value === 0 ? "0" : `${Math.round((value / unit) * 10) / 10} ${name}`));
}

function ticksOf(step: number, max: number, label: (value: number) => string): Tick[] {
  const count = Math.max(1, Math.ceil(max / step));
  return Array.from({ length: count + 1 }, (_, i) => ({ value: i * step, label: label(i * step) }));
}

/**
 * Returns which of count positions have a label, so that two labels are at least `apart` positions apart. The first
 * always has one.
 */
export function labelled(count: number, apart: number): number[] {
  const step = Math.max(1, Math.ceil(apart));
  return Array.from({ length: Math.ceil(count / step) }, (_, i) => i * step);
}
