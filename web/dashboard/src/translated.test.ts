// The German catalogues say everything in German.
import { expect, test } from "vitest";

type Catalogue = Readonly<Record<string, unknown>>;
const english = import.meta.glob<Catalogue>(["./**/texts.ts", "./**/*.texts.ts"], { eager: true });
const german = import.meta.glob<Catalogue>(["./**/texts.de.ts", "./**/*.texts.de.ts"], { eager: true });

/** Words that are the same in both languages. */
const same =
  /^(?:Admin|Agent|Alias|API|Browser|Chat|Code|CSV|Ctrl|Desktop|Details|E-Mail|Embeddings|Esc|https:\/\/\S*|Id|JSON|Label|Labels|Link|Mail|Mails|Median|Name|Navigation|Offline|Optional|\(optional\)|Parley|Push|Sandbox|Shop|Simulation|Spam|Status|System|Tag|Team|Teams|Test|Text|Text in Markdown|Tokens|Version|Versions|Website|Websites|WhatsApp|Widget|off|cards|answer)$/;

/** The texts of a catalogue by their path; a function's result for numbers, or words where it takes words. */
function* textsOf(value: unknown, path: string): Generator<[string, string]> {
  if (typeof value === "string") yield [path, value];
  else if (typeof value === "object" && value !== null) for (const [name, inner] of Object.entries(value)) yield* textsOf(inner, `${path}.${name}`);
}

test("no text is left in English", () => {
  expect(Object.keys(german).length).toBe(Object.keys(english).length);
  const left: string[] = [];
  for (const [file, { texts }] of Object.entries(english)) {
    const translated = new Map(textsOf(german[file.replace(/\.ts$/, ".de.ts")]?.["texts"], file));
    for (const [path, text] of textsOf(texts, file)) if (/\p{L}{2}/u.test(text) && translated.get(path) === text && !same.test(text)) left.push(`${path}: ${text}`);
  }
  expect(left).toEqual([]);
});
