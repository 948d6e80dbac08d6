import { expect, test } from "vitest";
import { best, score, told, type Choice, type Verb } from "./ranking";

const choice = (label: string): Choice => ({ id: label, label, run: () => {} });
const member = (name: string): Choice => ({ ...choice(`Assign to ${name}`), name });
const members = ["Ann Lee", "Bo Lee", "Bodil Åberg"].map(member);
const verbs: Verb[] = [
  { names: ["assign", "assign to"], choices: members },
  { names: ["snooze"], choices: (text) => (text === "" ? [] : [choice(`until ${text}`)]) },
];
const labels = (text: string) => told(text, verbs).map(({ label }) => label);

test("a verb takes an argument", () => {
  expect(labels("assign bo")).toEqual(["Assign to Bo Lee", "Assign to Bodil Åberg"]);
  expect(labels("Assign to aberg")).toEqual(["Assign to Bodil Åberg"]);
  expect(labels("assign")).toHaveLength(3);
  expect(labels("assignee bo")).toEqual([]);
  expect(labels("assign zed")).toEqual([]);
  expect(labels("snooze  tomorrow 9")).toEqual(["until tomorrow 9"]);
  expect(labels("assign a")).toEqual(["Assign to Ann Lee", "Assign to Bodil Åberg"]);
  expect(labels("bo")).toEqual([]);
});

test("beginnings rank above parts, and parts above letters", () => {
  const names = ["Change labels", "Go to labels", "Label", "Unlabel", "List all been late", "Spam"];
  expect(best(names, (name) => score("label", name))).toEqual(["Label", "Change labels", "Go to labels", "Unlabel", "List all been late"]);
  expect(score("go lab", "Go to labels")).toBe(3);
  expect(score("ÜBER", "über uns")).toBe(4);
});

test("of equals, the latest used is first", () => {
  const recent = ["c", "b"];
  expect(
    best(
      ["a", "b", "c"],
      () => 2,
      (item) => recent.indexOf(item),
    ),
  ).toEqual(["c", "b", "a"]);
});
