// Colours and lengths come from the tokens. Relative lengths (em, rem, ch, %,
// parts of the window) depend on the text or the window and are allowed
// anywhere; a length in pixels outside of the tokens needs a comment with its
// reason on the same line. The sheet of the widget's tag (tag/style.ts) is
// exempt, because the tokens of the frame do not reach the shop's page.
// web/shared has no styles.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const web = join(import.meta.dirname, "../..");

/** The widths at which the layout changes; media queries accept no variables. */
const widths: Record<string, string> = {
  "640px": "a phone held upright",
  "760px": "the settings have no room for their pages' names beside them",
  "860px": "one column, and the navigation below",
  "900px": "people without their second column",
  "1100px": "the chat's settings without its picture beside them",
  "1180px": "the details lie over the thread",
  "1600px": "lines of text end before they are too long to read",
  "330px": "the keyboard of a phone leaves a few lines",
};

interface Line {
  place: string;
  text: string;
}

function linesOf(folder: string): Line[] {
  const files = readdirSync(join(web, folder), { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".css") && !name.endsWith("tokens.css"));
  expect(files.length).toBeGreaterThan(0);
  return files.flatMap((name) =>
    readFileSync(join(web, folder, name), "utf8")
      .split("\n")
      .map((text, at) => ({ place: `${name}:${at + 1}`, text })),
  );
}

/** Multi-line comments and selectors declare no colours. */
const declaration = ({ text }: Line) => !/^\s*(\/\*|\*)/.test(text) && !/[{,]\s*$/.test(text.replace(/\/\*.*\*\//, ""));

test.each(["dashboard/src", "widget/src"])("no colour stands outside of the tokens: %s", (folder) => {
  const color = /#[0-9a-f]{3,8}\b|\b(?:rgb|rgba|hsl|hsla|oklch|light-dark)\(|(?<![\w-])(?:white|black)(?![\w-])/i;
  expect(linesOf(folder).filter((line) => declaration(line) && color.test(line.text))).toEqual([]);
});

test.each(["dashboard/src", "widget/src"])("no length in pixels stands outside of the tokens without its reason: %s", (folder) => {
  const bare = linesOf(folder).filter(({ text }) => /\d+px\b/.test(text) && !text.includes("@media") && !/\/\* \w.* \*\/$/.test(text));
  expect(bare).toEqual([]);
});

test.each(["dashboard/src", "widget/src"])("the layout changes at known widths: %s", (folder) => {
  const asked = linesOf(folder).flatMap(({ place, text }) => (text.includes("@media") ? [...text.matchAll(/\d+px/g)].map(([width]) => ({ place, width })) : []));
  expect(asked.filter(({ width }) => !widths[width])).toEqual([]);
});

test.each([
  ["dashboard/src", "tokens.css"],
  ["widget/src", "frame/tokens.css"],
])("each step between the steps is used: %s", (folder, file) => {
  const tokens = readFileSync(join(web, folder, file), "utf8");
  const all = linesOf(folder)
    .map(({ text }) => text)
    .join("\n");
  expect([...tokens.matchAll(/--s-px\d+/g)].filter(([name]) => !all.includes(`var(${name})`))).toEqual([]);
});

test.each(["dashboard/src", "widget/src"])("no variable is used that nobody sets: %s", (folder) => {
  const files = readdirSync(join(web, folder), { recursive: true, encoding: "utf8" }).filter((name) => /\.(css|tsx?)$/.test(name));
  const texts = files.map((name) => readFileSync(join(web, folder, name), "utf8"));
  const found = (pattern: RegExp) => new Set(texts.flatMap((text) => [...text.matchAll(pattern)].map(([, name]) => name ?? "")));
  const set = found(/["\s{](--[\w-]+)["\]]*[:,]/g);
  set.add("--popover-available-height"); // by Ariakit
  expect([...found(/var\((--[\w-]+)\)/g)].filter((name) => !set.has(name))).toEqual([]);
});
