// Functions that read untrusted text take time proportional to its length: a
// pattern that restarts at each character would let one message freeze a page.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { pieces } from "../../shared/links";
import { hasMarkup } from "../../shared/markup";
import { createParser } from "../../shared/sse";
import { titleOf } from "./articles/gaps";
import { plainOf } from "./inbox/articletext";
import { filled, shortcutAt } from "./inbox/canned";
import { parseWhen } from "./inbox/when";
import { filledText } from "./inbox/macros";
import { fold } from "./kit/fold";
import { conversation } from "./sync/world.fixture";

const long = 65_536;
const parts = 10;

/** The functions that read untrusted text, by file. */
const scanners: Record<string, (text: string) => unknown> = {
  "shared/links.ts": pieces,
  "dashboard/src/articles/gaps.ts": titleOf,
  "dashboard/src/inbox/articletext.ts": (text) => plainOf(text, "https://shop.example/"),
  "dashboard/src/inbox/canned.ts": (text) => {
    shortcutAt(text, text.length);
    filled(text, conversation("c", 1), "Bo");
  },
  "dashboard/src/inbox/when.ts": (text) => parseWhen(text, 0),
  "dashboard/src/inbox/macros.ts": (text) => filledText(text, conversation("c", 1), "Bo"),
  "dashboard/src/kit/fold.ts": fold,
  "shared/markup.ts": hasMarkup,
  "shared/sse.ts": (text) => {
    const parse = createParser(() => {});
    for (const char of text) parse(char);
    createParser(() => {})(text);
  },
};

const sources = join(import.meta.dirname, "../..");

/** A regular expression literal in a source. */
const literal = /(?:[(=,:?[]|&&|\|\||return)\s*\/(?!\*)((?:[^/\n\\[]|\\.|\[(?:[^\]\n\\]|\\.)*\])+)\/[a-z]*/g;

/**
 * Whether a pattern may scan a long text repeatedly: one with a quantifier, except patterns that are anchored to the
 * start of the text, or consist of one character class.
 */
function repeats(pattern: string): boolean {
  const plain = pattern.replace(/\[(?:[^\]\\]|\\.)*\]/g, "x").replace(/\\./g, "x");
  return /[+*]|\{\d+,/.test(plain) && !plain.startsWith("^") && !/^.[+*]$/.test(plain);
}

test("every file with a repeating pattern is measured", () => {
  const files = ["dashboard/src", "widget/src", "shared"].flatMap((folder) => readdirSync(join(sources, folder), { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`));
  const found = files.filter((file) => {
    if (!/\.tsx?$/.test(file) || /\.(test|fixture)\.tsx?$/.test(file)) return false;
    const text = readFileSync(join(sources, file), "utf8");
    return text.includes("new RegExp") || [...text.matchAll(literal)].some((match) => repeats(match[1] ?? ""));
  });
  expect(found.filter((file) => !scanners[file])).toEqual([]);
  expect(found).toContain("shared/links.ts");
});

/**
 * Each punctuation character alone and after what may start a match, fragments of matches, and mixtures that are the
 * same in each run.
 */
function units(): [head: string, unit: string][] {
  const special = [
    "a",
    "0",
    "é",
    "東",
    "\u0301",
    "\ufdfa",
    "👨‍👩‍👧",
    "\t",
    "\r\n",
    "\r",
    "a.",
    "a@",
    "a@b.",
    "@a.b",
    "http://",
    "http://a)",
    "https://a( ",
    "+1 ",
    "{{",
    "{{ a",
    " /a",
    "data: x\n",
    "<a ",
  ];
  const punctuation = Array.from({ length: 0x5f }, (_, at) => String.fromCharCode(0x20 + at)).filter((char) => !/[a-z0-9]/i.test(char));
  let state = 7;
  const next = (below: number) => (state = (state * 48_271) % 2_147_483_647) % below;
  const mixtures = Array.from({ length: 6 }, () => Array.from({ length: 900 }, () => (next(3) ? String.fromCharCode(0x20 + next(0x5f)) : (special[next(special.length)] ?? ""))).join(""));
  return [...punctuation.flatMap((char) => ["", "http://a", "a@b.c"].map((head): [string, string] => [head, char])), ...[...special, ...mixtures].map((unit): [string, string] => ["", unit])];
}

function cost(run: () => void): number {
  const begin = performance.now();
  run();
  return performance.now() - begin;
}

/**
 * Compares the time for the whole text with the sum of the times for its parts: about equal if the scanner is linear,
 * ten times apart if it is quadratic. Because a busy machine may distort a measurement, both are repeated.
 */
function isLinear(scan: (text: string) => unknown, text: string): boolean {
  const part = text.slice(0, long / parts);
  let whole = Infinity;
  let pieceByPiece = 0;
  for (let attempt = 0; attempt < 8; attempt++) {
    whole = Math.min(
      whole,
      cost(() => scan(text)),
    );
    if (whole < 10) return true;
    pieceByPiece = Math.max(
      pieceByPiece,
      cost(() => Array.from({ length: parts }, () => scan(part))),
    );
    if (whole <= 2 * pieceByPiece) return true;
  }
  return false;
}

for (const [name, scan] of Object.entries(scanners)) {
  test(`${name} is linear`, { timeout: 300_000 }, () => {
    const slow = units().filter(([head, unit]) => !isLinear(scan, (head + unit.repeat(long / unit.length + 1)).slice(0, long)));
    expect(slow.map(([head, unit]) => head + unit.slice(0, 20))).toEqual([]);
  });
}
