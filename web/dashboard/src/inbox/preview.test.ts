import { expect, test } from "vitest";
import { previewText } from "./preview";

test("a preview of the team's words has no marks; what customers write stays", () => {
  const preview = "**Hello** _Ann_,\n- see [the shop](https://shop.example/)\n- `a**b`\n> **cut";
  expect(previewText({ preview, contentType: "markdown", messageType: "outgoing" })).toBe("Hello Ann, see the shop ab cut");
  expect(previewText({ preview, contentType: "markdown", messageType: "incoming" })).toBe(preview);
  expect(previewText({ preview, contentType: "text", messageType: "outgoing" })).toBe(preview);
});
