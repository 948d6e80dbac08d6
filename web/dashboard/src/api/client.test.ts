import { expect, test } from "vitest";
import { address, ApiError } from "./client";

test("a refusal is split by the header and its message", () => {
  const refused = new ApiError(400, "name: must not be blank; scopes: must be known; one is not", 'invalid; field="name,scopes"');
  expect([refused.code, refused.fields, refused.ids]).toEqual(["invalid", { name: "must not be blank", scopes: "must be known; one is not" }, []]);
  const taken = new ApiError(409, "email: must not belong to another contact; it belongs to 7", "conflict; field=email; id=7");
  expect([taken.code, taken.fields, taken.ids]).toEqual(["conflict", { email: "must not belong to another contact; it belongs to 7" }, ["7"]]);
  expect(new ApiError(409, "try again", "in_progress; field=Idempotency-Key").fields).toEqual({ "Idempotency-Key": "" });
});

test("an answer that is not our server's has the code of its status", () => {
  expect([400, 404, 418, 502].map((status) => new ApiError(status, "name: must be text"))).toMatchObject([
    { code: "invalid", fields: {}, passing: false },
    { code: "not_found", fields: {}, passing: false },
    { code: "", fields: {}, passing: false },
    { code: "internal", fields: {}, passing: true },
  ]);
  expect([0, 429, 503].map((status) => new ApiError(status, "x").passing)).toEqual([true, true, true]);
});

test("an address leaves out absent parameters", () => {
  expect(address("/a", { b: "", c: null, d: undefined, e: 0, f: "ä b" })).toBe("/a?e=0&f=%C3%A4+b");
  expect(address("/a")).toBe("/a");
});
