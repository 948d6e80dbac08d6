import { expect, test } from "vitest";
import { placesOf } from "./highlight";

test("words are marked whole, the last one also by its beginning", () => {
  const marked = (text: string, ...words: string[]) => placesOf(text, words).map(({ from, to }) => text.slice(from, to));
  expect(marked("A red lamp, and lampshades: RED!", "red", "lamp")).toEqual(["red", "lamp", "lampshades", "RED"]);
  expect(marked("redo the über-Lampe", "red", "uber")).toEqual(["über"]);
  expect(marked("nothing")).toEqual([]);
});
