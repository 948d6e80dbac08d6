import { expect, test } from "vitest";
import { address, ApiError, fieldErrors } from "./client";

test("a refusal is split by fields", () => {
  expect(fieldErrors("name: must not be blank; scopes: must be known; name: another")).toEqual({ name: "must not be blank", scopes: "must be known" });
  expect(fieldErrors("email or password is wrong")).toEqual({});
});

test("only refusals of the input have fields", () => {
  expect(new ApiError(400, "name: must be text").fields).toEqual({ name: "must be text" });
  expect(new ApiError(503, "name: must be text").fields).toEqual({});
  expect([0, 429, 503, 400, 404].map((status) => new ApiError(status, "x").passing)).toEqual([true, true, true, false, false]);
});

test("an address leaves out absent parameters", () => {
  expect(address("/a", { b: "", c: null, d: undefined, e: 0, f: "ä b" })).toBe("/a?e=0&f=%C3%A4+b");
  expect(address("/a")).toBe("/a");
});
