import { expect, test } from "vitest";
import type { Member, Role } from "../api/types";
import { isAtLeast, mayManage, rolesToGive } from "./roles";

const member = (role: Role): Member => ({ id: role, name: role, email: "", image: "", role, createdAt: "", updatedAt: "" });

test.each([
  ["agent", "agent", true],
  ["agent", "admin", false],
  ["admin", "owner", false],
  ["owner", "admin", true],
] as const)("%s is at least %s: %s", (role, least, answer) => {
  expect(isAtLeast(role, least)).toBe(answer);
});

test("nobody gives a role above their own", () => {
  expect(rolesToGive("admin").map(({ value }) => value)).toEqual(["agent", "admin"]);
  expect(rolesToGive("owner").map(({ value }) => value)).toEqual(["agent", "admin", "owner"]);
});

test("agents manage nobody, admins no owners", () => {
  expect(mayManage(member("agent"), member("agent"))).toBe(false);
  expect(mayManage(member("admin"), member("admin"))).toBe(true);
  expect(mayManage(member("admin"), member("owner"))).toBe(false);
  expect(mayManage(member("owner"), member("owner"))).toBe(true);
});
