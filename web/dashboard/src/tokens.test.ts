import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

// The contrast of the pairs of colours that are drawn on each other (WCAG 2.2,
// 1.4.3 and 1.4.11), read from the tokens themselves.
const css = readFileSync(new URL("./tokens.css", import.meta.url), "utf8");
const tokens = new Map([...css.matchAll(/--c-([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g)].map(([, name, light, dark]) => [name ?? "", [light ?? "", dark ?? ""]]));

function luminance(hex: string): number {
  const channel = (at: number) => {
    const value = parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
}

function contrast(a: string, b: string): number {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

function color(name: string, mode: number): string {
  const value = tokens.get(name)?.[mode];
  if (!value) throw new Error(`there is no token --c-${name}`);
  return value;
}

const surfaces = ["sunken", "bg", "surface", "raised", "hover", "selected"];
const bubbles = ["bubble-in", "bubble-out", "bubble-bot", "bubble-note"];
const labels = ["gray", "red", "orange", "amber", "yellow", "green", "teal", "cyan", "blue", "indigo", "purple", "pink"];
const text: [string, string][] = [
  ...["text", "text-2", "text-3", "accent-text", "danger-text"].flatMap((name) => surfaces.map((ground): [string, string] => [name, ground])),
  ...bubbles.map((ground): [string, string] => ["text", ground]),
  ...["danger", "warn", "ok", "info", "neutral"].map((name): [string, string] => [`${name}-text`, `${name}-soft`]),
  ["accent-text", "accent-soft"],
  ["text-3", "bubble-note"],
  ["on-accent", "accent"],
  ["on-accent", "accent-hover"],
  ["on-danger", "danger"],
  ["on-danger", "danger-hover"],
  ...labels.map((name): [string, string] => [`label-${name}-text`, `label-${name}`]),
];
const edges: [string, string][] = [
  ...["surface", "bg", "raised"].flatMap((ground): [string, string][] => [
    ["control", ground],
    ["focus", ground],
  ]),
  ...[1, 2, 3, 4].map((n): [string, string] => [`chart-${n}`, "surface"]),
];

describe.each([
  ["light", 0],
  ["dark", 1],
] as const)("%s", (_, mode) => {
  test.each(text)("%s on %s has 4.5:1", (front, ground) => {
    expect(contrast(color(front, mode), color(ground, mode))).toBeGreaterThanOrEqual(4.5);
  });
  test.each(edges)("%s on %s has 3:1", (front, ground) => {
    expect(contrast(color(front, mode), color(ground, mode))).toBeGreaterThanOrEqual(3);
  });
});
