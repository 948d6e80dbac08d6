// Custom attributes as people edit them: each value has a type that it keeps,
// so that "0049" stays a text and 5 stays a number.
import type { Attributes } from "../api/types";

export type AttributeType = "text" | "number" | "boolean" | "json";

/** The types with their names, in the order of the menu. */
export const attributeTypes: readonly { value: AttributeType; label: string }[] = [
  { value: "text", label: "Text" },
  { value: "number", label: "Number" },
  { value: "boolean", label: "Yes or no" },
  { value: "json", label: "JSON" },
];

/** Returns the type of a value: lists, objects and null are edited as JSON. */
export function typeOf(value: unknown): AttributeType {
  if (typeof value === "string") return "text";
  if (typeof value === "number") return "number";
  if (typeof value === "boolean") return "boolean";
  return "json";
}

/** Writes a value as the text of its field. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** What a text means as a value of a type; or the rule that it breaks. */
export type Parsed = { value: unknown; fault?: undefined } | { fault: string };

/** Reads a text as a value of a type. Null is no value: the API deletes the key by it. */
export function parseAttribute(type: AttributeType, text: string): Parsed {
  switch (type) {
    case "text":
      return { value: text };
    case "number": {
      const value = Number(text.trim());
      return text.trim() === "" || !Number.isFinite(value) ? { fault: "must be a number" } : { value };
    }
    case "boolean":
      return text === "true" || text === "false" ? { value: text === "true" } : { fault: "must be yes or no" };
    case "json":
      return parseJSON(text);
  }
}

function parseJSON(text: string): Parsed {
  try {
    const value: unknown = JSON.parse(text);
    return value === null ? { fault: "must not be null; remove the attribute instead" } : { value };
  } catch {
    return { fault: "must be JSON" };
  }
}

/** Says what is wrong with the name of a new attribute; "" if nothing is. */
export function nameFault(name: string, present: Attributes): string {
  if (name.trim() === "") return "must not be blank";
  return Object.hasOwn(present, name.trim()) ? "is there already; change it above" : "";
}
