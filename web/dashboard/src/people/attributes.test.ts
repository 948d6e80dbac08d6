import { describe, expect, test } from "vitest";
import { nameFault, parseAttribute, textOf, typeOf } from "./attributes";

describe("an attribute", () => {
  test.each([["pro"], ["0049"], [""], [5], [-1.5], [0], [true], [false], [["a", 1]], [{ seats: 5 }]])("%j comes back from its own text", (value) => {
    expect(parseAttribute(typeOf(value), textOf(value))).toEqual({ value });
  });

  test.each([
    ["number", "five", "must be a number"],
    ["number", " ", "must be a number"],
    ["number", "1e999", "must be a number"],
    ["boolean", "maybe", "must be yes or no"],
    ["json", "{", "must be JSON"],
    ["json", "null", "must not be null"],
  ] as const)("of type %s is not %j", (type, text, fault) => {
    expect(parseAttribute(type, text).fault).toContain(fault);
  });

  test("has a name of its own", () => {
    expect(nameFault(" ", {})).toBe("must not be blank");
    expect(nameFault(" plan ", { plan: "pro" })).toContain("already exists");
    expect(nameFault("toString", {})).toBe("");
  });
});
