import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { changedOf, chatLanguages, keysFor, labelOf, placesOf, samePlaces } from "./widgettexts";

test("the languages are those of the chat", () => {
  const files = readdirSync(join(import.meta.dirname, "../../../../internal/words/chat")).map((name) => name.replace(".json", ""));
  expect([...chatLanguages].sort()).toEqual(files.sort());
});

test("places are read as the server reads them", () => {
  expect(placesOf("{b} and {a} and {b}")).toEqual(["a", "b", "b"]);
  for (const wrong of ["{", "}", "{}", "{a", "a}", "{{a}}", "{a b}", "{A}", "} {a}", "{a} }", "}a{"]) expect(placesOf(wrong), wrong).toBeNull();
  expect(samePlaces("{name} is writing", "writing: {name}")).toBe(true);
  expect(samePlaces("{n} articles", "an article")).toBe(true);
  expect(samePlaces("{name} is writing", "writing")).toBe(false);
  expect(samePlaces("Send", "{name}")).toBe(false);
});

const usual = { "composer.send": "Senden", "found.many": "Viele gefunden" };
const known = { "composer.send": "Send", "found.other": "Found" };

test("only what differs is stored", () => {
  expect(changedOf(usual, { "composer.send": " Ab ", "found.many": "" })).toEqual({ "composer.send": "Ab" });
  expect(changedOf(usual, { "composer.send": "Senden", "found.many": " " })).toEqual({});
});

test("texts are found by what they say in either language", () => {
  expect(labelOf("found.many", known)).toBe("Found");
  expect(keysFor("", usual, known)).toHaveLength(2);
  expect(keysFor("SEND", usual, known)).toEqual(["composer.send"]);
  expect(keysFor("gefunden found", usual, known)).toEqual(["found.many"]);
  expect(keysFor("other", usual, known)).toEqual([]);
});
