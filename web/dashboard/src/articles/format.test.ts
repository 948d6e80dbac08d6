import { expect, test } from "vitest";
import { continued, formatted, pastedLink, pictureText, type Edit, type Format } from "./format";

/** Applies an edit to a text whose selection is between two bars, or at one. */
function after(marked: string, make: (text: string, start: number, end: number) => Edit | null): string | null {
  const start = marked.indexOf("|");
  const rest = marked.slice(start + 1);
  const end = rest.includes("|") ? start + rest.indexOf("|") : start;
  const text = marked.replaceAll("|", "");
  const edit = make(text, start, end);
  if (!edit) return null;
  const next = text.slice(0, edit.from) + edit.text + text.slice(edit.to);
  const [a, b] = edit.select;
  return a === b ? `${next.slice(0, a)}|${next.slice(a)}` : `${next.slice(0, a)}|${next.slice(a, b)}|${next.slice(b)}`;
}
const format = (name: Format, marked: string) => after(marked, (text, start, end) => formatted(text, start, end, name));

test.each<[Format, string, string]>([
  ["bold", "a |word| b", "a **|word|** b"],
  ["bold", "a **|word|** b", "a |word| b"],
  ["bold", "a |**word**| b", "a |word| b"],
  ["bold", "a |word |b", "a **|word|** b"],
  ["bold", "|", "**|**"],
  ["bold", "**word|** b", "**word**| b"],
  ["italic", "**|word|**", "***|word|***"],
  ["italic", "*|word|*", "|word|"],
  ["code", "|x|", "`|x|`"],
  ["code", "a\n|b\nc|", "a\n```\n|b\nc|\n```\n"],
  ["link", "see |our shop|", "see [our shop](|https://|)"],
  ["link", "|https://x.example|", "[|](https://x.example)"],
  ["heading", "a\nTit|le\nb", "a\n## Tit|le\nb"],
  ["heading", "## Tit|le", "Tit|le"],
  ["bullets", "|one\ntwo|", "|- one\n- two|"],
  ["bullets", "|- one\n- two|", "|one\ntwo|"],
  ["numbers", "|- one\n\n- two|", "|1. one\n\n2. two|"],
  ["quote", "wo|rd", "> wo|rd"],
])("%s changes %j to %j", (name, before, expected) => {
  expect(format(name, before)).toBe(expected);
});

test("Enter continues a list, and ends it after an empty item", () => {
  const enter = (marked: string) => after(marked, (text, start) => continued(text, start));
  expect(enter("- one|")).toBe("- one\n- |");
  expect(enter("  9. nine|")).toBe("  9. nine\n  10. |");
  expect(enter("- one\n- |")).toBe("- one\n|");
  expect(enter("plain|")).toBeNull();
});

test("an address that is pasted over a text makes it a link", () => {
  const paste = (marked: string, pasted: string) => after(marked, (text, start, end) => pastedLink(text, start, end, pasted));
  expect(paste("see |this|", "https://x.example/a")).toBe("see [this](https://x.example/a)|");
  expect(paste("see |this|", "plain text")).toBeNull();
  expect(paste("see |", "https://x.example")).toBeNull();
});

test("a picture is described by its file name", () => {
  expect(pictureText("return [label].png", "/help/pictures/1")).toBe("![return label](/help/pictures/1)");
});
