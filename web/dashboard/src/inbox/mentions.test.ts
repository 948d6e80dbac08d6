import { expect, test } from "vitest";
import type { Member, Team } from "../api/types";
import { mentionsIn, namesFor, namesIn } from "./mentions";
import { fittingNames, nameAt } from "./naming";

const member = (id: string, name: string, email = `${id}@desk.example`): Member => ({ id, name, email, role: "agent", image: "", createdAt: "" }) as Member;
const members = [
  member("me", "Ann Lee"),
  member("bo", "Bo"),
  member("bol", "Bo Lindqvist"),
  member("oz", "Özgür Ünal"),
  member("kim1", "Kim"),
  member("kim2", "Kim"),
  member("heb", "דנה כהן"),
  member("wei", "王伟"),
  member("odd", "*Star* (x) <b>"),
];
const teams = [{ id: "t1", name: "Returns", memberIds: ["me", "bo", "oz"] } as unknown as Team, { id: "t2", name: "Bo", memberIds: ["oz"] } as unknown as Team];
const names = namesFor(members, teams, "me");
const told = (text: string) => mentionsIn(namesIn(text, names));

test("a name is found where it stands alone, and of two the longer one", () => {
  expect(told("@Bo can you look")).toEqual(["bo"]);
  expect(told("@Bo Lindqvist and @Özgür Ünal, please")).toEqual(["bol", "oz"]);
  expect(told("(@Bo), “@Özgür Ünal”!\n@Bo")).toEqual(["bo", "oz"]);
  expect(told("ask @דנה כהן today")).toEqual(["heb"]);
  expect(told("@王伟请看")).toEqual(["wei"]);
  expect(told("@*Star* (x) <b>")).toEqual(["odd"]);
});

test("an address, a longer word and the member's own name name nobody", () => {
  for (const text of ["mail@Bo", "@Bob", "@Bo_x", "https://example.org/@Bo", "https://example.org/?a=(@Bo)", "@@Bo", "@bo", "@Ann Lee", "Bo"]) expect(told(text)).toEqual([]);
});

test("equal names are told apart by their addresses, and a team tells its members but the author", () => {
  expect(told("@Kim")).toEqual([]);
  expect(told("@Kim (kim2@desk.example)")).toEqual(["kim2"]);
  expect(told("@Returns @Bo")).toEqual(["bo", "oz"]);
  expect(names.filter(({ label }) => label === "Bo").length).toBe(1);
});

test("what is typed offers the names that fit", () => {
  const offered = (text: string) => {
    const at = nameAt(text, text.length, names);
    return at ? fittingNames(names, at.query).map(({ id }) => id) : null;
  };
  expect(offered("hello @bo")).toEqual(["bo", "bol"]);
  expect(offered("@ozg")).toEqual(["oz"]);
  expect(offered("@lind")).toEqual(["bol"]);
  expect(offered("@Bo Li")).toEqual(["bol"]);
  expect(offered("@kim")).toEqual(["kim1", "kim2"]);
  expect(offered("@ret")).toEqual(["t1"]);
  expect(offered("@")).toHaveLength(8);
  expect(offered("@Bo Lindqvist ")).toBeNull();
  expect(offered("@Bo Lindqvist can you")).toBeNull();
  expect(offered("@bo can you")).toEqual([]);
  for (const text of ["mail@bo", "a @ b", "@ bo", "@bo\nx", "https://example.org/@bo"]) expect(offered(text) ?? []).toEqual([]);
});

test("a hostile text takes no longer than its length", () => {
  const many = namesFor(
    Array.from({ length: 500 }, (_, index) => member(`m${index}`, `Bo ${index}`)),
    [],
    "me",
  );
  const begin = performance.now();
  namesIn("@Bo".repeat(30_000), many);
  namesIn("@".repeat(90_000), many);
  expect(performance.now() - begin).toBeLessThan(3000);
});
