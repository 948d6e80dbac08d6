import { expect, test } from "vitest";
import type { Member, Role } from "../api/types";
import { isAtLeast, manages, rolesFor, rolesToGive } from "./roles";

const member = (role: Role): Member => ({ id: role, name: role, email: "", image: "", role, access: "all", inboxIds: [], createdAt: "", updatedAt: "" });

test.each([
  ["agent", "agent", true],
  ["agent", "admin", false],
  ["admin", "owner", false],
  ["owner", "admin", true],
] as const)("%s is at least %s: %s", (role, least, answer) => {
  expect(isAtLeast(role, least)).toBe(answer);
});

const values = (choice: ReturnType<typeof rolesToGive>) => choice.map(({ value }) => value);

test("admins appoint agents, owners everybody", () => {
  expect(values(rolesToGive("agent"))).toEqual([]);
  expect(values(rolesToGive("admin"))).toEqual(["agent"]);
  expect(values(rolesToGive("owner"))).toEqual(["agent", "admin", "owner"]);
});

test.each([
  ["agent", []],
  ["admin", ["agent"]],
  ["owner", ["agent", "admin", "owner"]],
] as const)("%s manages %s", (own, managed) => {
  expect((["agent", "admin", "owner"] as const).filter((other) => manages(own, other))).toEqual(managed);
});

test.each([
  ["agent", "agent", [], []],
  ["admin", "agent", [], []],
  ["admin", "admin", ["agent", "admin"], []],
  ["admin", "owner", [], []],
  ["owner", "admin", [], ["agent", "admin", "owner"]],
  ["owner", "owner", ["agent", "admin", "owner"], ["agent", "admin", "owner"]],
] as const)("%s is offered for %s: themselves %s, others %s", (own, other, self, others) => {
  const me = member(own);
  if (own === other) expect(values(rolesFor(me, me))).toEqual(self);
  expect(values(rolesFor(me, { ...member(other), id: "another" }))).toEqual(others);
});
