import { expect, test } from "vitest";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { counted, languages, number, phrase, speak, tongueOf } from "./language";

const folder = join(import.meta.dirname, "../../../../internal/words/chat");
const read = (language: string) => JSON.parse(readFileSync(join(folder, `${language}.json`), "utf8")) as Record<string, string>;
const english = read("en");
const forms = /\.(zero|one|two|few|many|other)$/;
const places = (text = "") => [...text.matchAll(/\{[a-z]+\}/g)].map(([place]) => place).sort();
const keys = (words: Record<string, string>) => new Set(Object.keys(words).map((key) => key.replace(forms, "*")));

test("there is a file for each language", () => {
  expect(readdirSync(folder).sort()).toEqual(languages.map((language) => `${language}.json`).sort());
});

test.each(languages)("%s has every text, with its places and plurals", (language) => {
  const words = read(language);
  expect(keys(words)).toEqual(keys(english));
  const rules = new Intl.PluralRules(language);
  const wanted = new Set(Array.from({ length: 1000 }, (_, n) => rules.select(n) as string));
  for (const [key, text] of Object.entries(words)) {
    expect(text.trim(), key).toBe(text);
    expect(text, key).not.toBe("");
    const [, form] = forms.exec(key) ?? [];
    if (form === undefined) expect(places(text), key).toEqual(places(english[key]));
    else {
      const base = key.replace(forms, "");
      expect(new Set(Object.keys(words).flatMap((other) => (other.startsWith(`${base}.`) ? (forms.exec(other)?.[1] ?? []) : []))), base).toEqual(wanted);
      // "One article" names no number, but a form for several numbers must.
      const several = Array.from({ length: 1000 }, (_, n) => n).filter((n) => rules.select(n) === form).length > 1;
      expect(places(text).join() === "{n}" || (!several && places(text).length === 0), key).toBe(true);
    }
  }
});

// What is the same in another language because the words are.
const alike: Record<string, string[]> = {
  de: ["time.minutes"],
  fr: ["thread.messages", "composer.message", "time.minutes", "time.hours"],
  es: ["time.minutes", "time.hours", "articles.no"],
  it: ["time.minutes", "time.hours", "articles.no"],
  pt: ["time.minutes", "time.hours"],
  pl: ["time.minutes"],
  sv: ["time.minutes"],
  cs: ["time.minutes", "time.hours"],
  da: ["composer.send"],
};

test.each(languages.slice(1))("%s has no English left, and letters of its own", (language) => {
  const words = read(language);
  const script = { ar: "Arabic", he: "Hebrew" }[language] ?? "Latin";
  const foreign = new RegExp(`(?!\\p{Script=${script}}|\\p{Lm})\\p{L}`, "u");
  for (const [key, text] of Object.entries(words)) {
    expect(text.replace(/\{[a-z]+\}/g, ""), key).not.toMatch(foreign);
    if (key !== "message.label" && !alike[language]?.includes(key)) expect(text, key).not.toBe(english[key]);
  }
});

test("every text is used, with its places", () => {
  const sources = readdirSync(import.meta.dirname).filter((name) => /\.tsx?$/.test(name) && !name.includes(".test."));
  const code = sources.map((name) => readFileSync(join(import.meta.dirname, name), "utf8")).join("\n");
  for (const key of keys(english)) {
    const name = key.replace("*", "").replace(/\.$/, "");
    expect(code, key).toContain(`"${name}"`);
    if (key.endsWith("*") || /^hours\.[a-z]+day$/.test(key)) continue;
    const calls = code.split(`phrase("${name}"`).slice(1);
    expect(calls.length, key).toBeGreaterThan(0);
    for (const call of calls) {
      const given = call.startsWith(", {") ? call.slice(3, call.indexOf("})")) : "";
      for (const place of places(english[key])) expect(given, key).toContain(place.slice(1, -1));
    }
  }
});

test("the first language that there are words in is spoken", () => {
  const spoken = (wanted: string[], browser: string[] = []) => {
    const { language, locale, dir, articles } = tongueOf(wanted, browser);
    return [language, locale, dir, articles].join();
  };
  expect(spoken([])).toBe("en,en,ltr,");
  expect(spoken(["", "de"], ["fr"])).toBe("de,de,ltr,de");
  expect(spoken(["de-AT", "en"], ["de-DE"])).toBe("de,de-AT,ltr,de-AT");
  expect(spoken(["", "EN"], ["de", "en-GB", "en"])).toBe("en,en-GB,ltr,en-GB");
  expect(spoken(["zh", "ka"], ["zh-TW", "he-IL"])).toBe("he,he-IL,rtl,he-IL");
  expect(spoken(["zh"], ["zh-TW"])).toBe("en,en,ltr,zh");
  expect(spoken(["de_AT", "e", "constructor", "<b>"], ["ar"])).toBe("de,de,ltr,de");
  expect(spoken(["fr-x-!", "x".repeat(100_000)])).toBe("fr,fr,ltr,fr");
});

test("numbers choose the form, and values in Arabic and Hebrew keep their direction", () => {
  speak(tongueOf(["pl"]), read("pl"));
  expect([1, 2, 5, 12, 22, 0].map((n) => counted("articles.found", n))).toEqual(
    [1, 2, 5, 12, 22, 0].map((n) => `Znaleziono ${n} ${n === 1 ? "artykuł" : [2, 22].includes(n) ? "artykuły" : "artykułów"}`),
  );
  speak(tongueOf(["he"]), read("he"));
  expect(counted("articles.found", 2)).toBe("נמצאו שני מאמרים");
  expect(phrase("composer.remove", { name: "a.pdf" })).toContain("\u2068a.pdf\u2069");
  speak(tongueOf(["de"]), read("de"));
  expect(phrase("writing", { name: "{name} $& <b>" })).toBe("{name} $& <b> schreibt …");
  expect(phrase("writing")).toBe("{name} schreibt …");
  expect(number(1234.5)).toBe("1.234,5");
});
