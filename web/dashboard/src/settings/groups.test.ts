import { expect, test } from "vitest";
import { groupLines, groupsIn } from "./groups";

test("groups are read as they are written", () => {
  const groups = [
    { name: "support", role: "agent" },
    { name: "cn=leads,dc=acme", role: "admin" },
  ] as const;
  expect(groupsIn(groupLines(groups))).toEqual(groups);
  expect(groupsIn("\n  support =Agent \r\n\n")).toEqual([{ name: "support", role: "agent" }]);
  expect(groupsIn("")).toEqual([]);
});

test.each(["support", "support = owner", "= agent", "support =", "a = agent\nb"])("%j is no list of groups", (text) => {
  expect(groupsIn(text)).toBeNull();
});
