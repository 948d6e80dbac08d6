// What messages may be formatted with, and that nothing else becomes of them.
import { expect, test } from "vitest";
import { hasMarkup, markup, type Block, type Inline } from "../../shared/markup";
import { payloads } from "../test/payloads.mjs";

const show = (inline: Inline): string => {
  if (typeof inline === "string") return inline;
  if (inline.kind === "code") return `‹code ${inline.text}›`;
  if (inline.kind === "link") return `‹${inline.text} → ${inline.href}›`;
  return `‹${inline.kind} ${inline.children.map(show).join("")}›`;
};
const shown = (blocks: Block[]) =>
  blocks.map((block) => {
    if (block.kind === "code") return `code: ${block.text}`;
    if (block.kind === "list") return `${block.ordered ? block.start : "-"}: ${block.items.map((item) => item.map(show).join("")).join(" | ")}`;
    return `${block.kind}: ${block.children.map(show).join("")}`;
  });

const table: Record<string, string[]> = {
  "Hello **Bo**": ["text: Hello ‹strong Bo›"],
  "*a* _b_ `c` d": ["text: ‹em a› ‹em b› ‹code c› d"],
  "***both*** and **b *i* b**": ["text: ‹strong ‹em both›› and ‹strong b ‹em i› b›"],
  "2 * 3 * 4, snake_case_name, a**b, **, ** a **": ["text: 2 * 3 * 4, snake_case_name, a**b, **, ** a **"],
  "*open": ["text: *open"],
  "`*not italic*` and `open": ["text: ‹code *not italic*› and `open"],
  "(**bold**), *a*!": ["text: (‹strong bold›), ‹em a›!"],
  "[x](javascript:alert(1)) [y](data:text/html,z) [z](//evil.example)": ["text: [x](javascript:alert(1)) [y](data:text/html,z) [z](//evil.example)"],
  "- a\n- *b*\n\n1. c\n2) d\nend": ["-: a | ‹em b›", "1: c | d", "text: end"],
  "> a\n>b\n\n> c": ["quote: a\nb", "quote: c"],
  "see\n```js\n**x** <b>\n```\nend": ["text: see", "code: **x** <b>", "text: end"],
  "```\nopen": ["text: ```\nopen"],
  "a\n\n\nb": ["text: a\n\n\nb"],
  "": [],
};

test("messages have bold, italic, code, lists, quotes and links", () => {
  for (const [text, want] of Object.entries(table)) expect([text, ...shown(markup(text))]).toEqual([text, ...want]);
});

test("an address stays whole, whatever signs it has", () => {
  expect(shown(markup("[our page](https://a.example/x_y_z) and https://b.example/_c_d"))).toEqual(["text: ‹our page → https://a.example/x_y_z› and ‹https://b.example/_c_d → https://b.example/_c_d›"]);
});

test("only what has markup is sent as such", () => {
  for (const text of ["**a**", "- a", "`a`", "[a](https://a.example)", "> a", "```\na\n```"]) expect([text, hasMarkup(text)]).toEqual([text, true]);
  for (const text of ["a", "2 * 3", "https://a.example", "a_b_c", "-a", "a - b", "1.5"]) expect([text, hasMarkup(text)]).toEqual([text, false]);
});

// TestMarkupIsSafe: hostile texts, alone and inside every kind of markup.
test("hostile texts become texts and links to web pages, never anything else", () => {
  const around = ["$", "**$**", "*$*", "_$_", "`$`", "```\n$\n```", "> $", "- $", "1. $", "[$](https://a.example)", "[a]($)", "**[a]($)** $ `"];
  const letters = (text: string) => text.replace(/[\s*_`>\-[\]().\d•$]/g, "").replaceAll("https://a.example", "");
  const walk = (inline: Inline): string => {
    if (typeof inline === "string") return inline;
    if (inline.kind === "code") return inline.text;
    if (inline.kind === "link") {
      expect(inline.href).toMatch(/^(https?:\/\/|mailto:)/);
      return inline.text;
    }
    expect(["strong", "em"]).toContain(inline.kind);
    return inline.children.map(walk).join("");
  };
  for (const payload of payloads) {
    for (const frame of around) {
      const text = frame.replaceAll("$", () => payload);
      const blocks = markup(text);
      const out = blocks.map((block) => (block.kind === "code" ? block.text : (block.kind === "list" ? block.items.flat() : block.children).map(walk).join(""))).join("");
      if (frame.includes("](")) continue; // an address is not shown
      expect(letters(out).includes(letters(payload)) || payload.includes("```") || payload.includes("](http"), `${text} became ${out}`).toBe(true);
    }
  }
});
