// Colours and lengths come from the tokens. Relative lengths (em, rem, ch, %,
// parts of the window) depend on the text or the window and are allowed
// anywhere; a length in pixels outside of the tokens needs a comment with its
// reason on the same line. The sheet of the widget's tag (tag/style.ts) is
// exempt, because the tokens of the frame do not reach the shop's page.
// web/shared has no styles.
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
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

/** The sources with one of the endings, without the tokens, tests, and what stands apart (see above). */
function filesOf(folder: string, ending: RegExp): { name: string; text: string }[] {
  const apart = /tokens\.css$|\.(?:test|fixture)\.tsx?$|^styleguide\/|^tag\/style\.ts$/;
  const names = readdirSync(join(web, folder), { recursive: true, encoding: "utf8" }).filter((name) => ending.test(name) && !apart.test(name));
  expect(names.length).toBeGreaterThan(0);
  return names.map((name) => ({ name, text: readFileSync(join(web, folder, name), "utf8") }));
}

function linesOf(folder: string, ending = /\.css$/): Line[] {
  return filesOf(folder, ending).flatMap(({ name, text }) => text.split("\n").map((line, at) => ({ place: `${name}:${at + 1}`, text: line })));
}

const color = /#[0-9a-f]{3,8}\b|\b(?:rgb|rgba|hsl|hsla|oklch|light-dark)\(|(?<![\w-])(?:white|black)(?![\w-])/i;

/** The values of a sheet's declarations that have a colour, also those over several lines. */
function colorsIn(sheet: string): string[] {
  const bare = sheet.replace(/\/\*[^]*?\*\//g, "");
  return [...bare.matchAll(/[\w-]+\s*:([^;{}]+)(?=[;}])/g)].map(([, value]) => (value ?? "").trim()).filter((value) => color.test(value));
}

/** The strings of a program that are a colour or have one behind a colon or an equals sign, without those whose line ends with their reason. */
function colorsInProgram(source: string): string[] {
  const lines = source.split("\n").filter((line) => !/^\s*(?:\/\/|\/?\*)/.test(line) && !/ \/\/ \w.*$/.test(line));
  return lines.filter((line) =>
    /["'`:=]\s*["'`]?(?:#[0-9a-f]{3,8}\b|(?:rgb|rgba|hsl|hsla|oklch|light-dark)\((?!\$))|(?:color|background|fill|stroke|Color)"?[:=]\s*["'](?:white|black)["']/i.test(line),
  );
}

/** The lengths of a program: in strings, and as numbers of a style, which are pixels. The others of these properties have no unit. */
function lengthsInProgram(source: string): string[] {
  const written = source.split("\n").filter((line) => !/^\s*(?:\/\/|\/?\*)/.test(line) && /\d+px\b/.test(line) && !/ \/\/ \w.*$/.test(line));
  const styles = [...source.matchAll(/style=\{\{([^]*?)\}\}/g)].map(([, style]) => style ?? "");
  const numbers = styles.filter((style) =>
    [...style.matchAll(/(\w+): -?[\d.]*[1-9]/g)].some(([, name = ""]) => !/^(?:zIndex|opacity|flex|flexGrow|flexShrink|order|lineHeight|fontWeight|scale)$/.test(name)),
  );
  return [...written, ...numbers];
}

test("a colour and a length are found wherever they stand", () => {
  expect(colorsIn("a,\n#fff,\n.white {\n  box-shadow:\n    0 0 1em #fff,\n    0 0 2em var(--c-text);\n  white-space: nowrap; /* #000 */\n}\na:hover { color: black }")).toHaveLength(2);
  const colors = ['const ink = "#fff";', 'svg(`<rect fill="#0f6b5a"/>`);', 'style={{ color: "white" }}', "style={{ background: `rgb(0 0 0)` }}"];
  expect(colors.filter((line) => colorsInProgram(line).length === 0)).toEqual([]);
  expect(['const ink = "#fff"; // an icon has no tokens', "// like #fff", 'href="/#a"'].flatMap(colorsInProgram)).toEqual([]);
  const lengths = ["style={{ width: 9 }}", "style={{\n  top: 0,\n  left: -4,\n}}", 'const margin = "4px";'];
  expect(lengths.filter((text) => lengthsInProgram(text).length === 0)).toEqual([]);
  expect(["style={{ top: 0, opacity: 0.5 }}", "style={{ transform: `translateY(${start}px)` }}", 'const margin = "4px"; // for an observer'].flatMap(lengthsInProgram)).toEqual([]);
});

test.each(["dashboard/src", "widget/src"])("no colour stands outside of the tokens: %s", (folder) => {
  const sheets = filesOf(folder, /\.css$/).flatMap(({ name, text }) => colorsIn(text).map((value) => `${name}: ${value}`));
  const programs = filesOf(folder, /\.tsx?$/).flatMap(({ name, text }) => colorsInProgram(text).map((line) => `${name}: ${line}`));
  expect([...sheets, ...programs]).toEqual([]);
});

test.each(["dashboard/src", "widget/src"])("no length in pixels stands outside of the tokens without its reason: %s", (folder) => {
  const bare = linesOf(folder).filter(({ text }) => /\d+px\b/.test(text) && !text.includes("@media") && !/\/\* \w.* \*\/$/.test(text));
  const programs = filesOf(folder, /\.tsx?$/).flatMap(({ name, text }) => lengthsInProgram(text).map((line) => `${name}: ${line}`));
  expect([...bare, ...programs]).toEqual([]);
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

test("no two sheets have the same name, which begins the names of their classes", () => {
  const names = filesOf("dashboard/src", /\.module\.css$/).map(({ name }) => basename(name));
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});

test("the sheets of the kit come before those of the pages", () => {
  const sheets = readdirSync(join(web, "dashboard/src/kit")).filter((name) => name.endsWith(".module.css"));
  const listed = [...readFileSync(join(web, "dashboard/src/kit/styles.ts"), "utf8").matchAll(/^import "\.\/(.+)";$/gm)].map(([, name]) => name);
  expect(listed.sort()).toEqual(sheets.sort());
});
