// Custom attributes as people edit them: each value keeps its type, so that
// "0049" stays a text and 5 stays a number.
import type { Attributes } from "../api/types";
import { texts } from "./texts";

export type AttributeType = "text" | "number" | "boolean" | "json";

/** The types with their names, in the order of the menu. */
export const attributeTypes: readonly { value: AttributeType; label: string }[] = [
  { value: "text", label: texts.attributes.text },
  { value: "number", label: texts.attributes.number },
  { value: "boolean", label: texts.attributes.yesOrNo },
  { value: "json", label: texts.attributes.json },
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

/** The value that a text represents, or the rule that it breaks. */
export type Parsed = { value: unknown; fault?: undefined } | { fault: string };

/** Reads a text as a value of a type. Null is not a value, because the API deletes the key for it. */
export function parseAttribute(type: AttributeType, text: string): Parsed {
  switch (type) {
    case "text":
      return { value: text };
    case "number": {
      const value = Number(text.trim());
      return text.trim() === "" || !Number.isFinite(value) ? { fault: texts.attributes.noNumber } : { value };
    }
    case "boolean":
      return text === "true" || text === "false" ? { value: text === "true" } : { fault: texts.attributes.neitherYesNorNo };
    case "json":
      return parseJSON(text);
  }
}

function parseJSON(text: string): Parsed {
  try {
    const value: unknown = JSON.parse(text);
    return value === null ? { fault: texts.attributes.isNull } : { value };
  } catch {
    return { fault: texts.attributes.noJson };
  }
}

/** Returns what is wrong with the name of a new attribute; "" if nothing is. */
export function nameFault(name: string, present: Attributes): string {
  if (name.trim() === "") return texts.attributes.blank;
  return Object.hasOwn(present, name.trim()) ? texts.attributes.present : "";
}
