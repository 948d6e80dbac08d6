import { markup, type Block, type Inline } from "../../../shared/markup";
import type { MessagePreview } from "../api/types";

/** The text of a preview, without the marks of what the team writes. A mark whose other end is cut off goes too. */
export function previewText({ preview, contentType, messageType }: Pick<MessagePreview, "preview" | "contentType" | "messageType">): string {
  if (contentType !== "markdown" || messageType !== "outgoing") return preview;
  return markup(preview).map(wordsOfBlock).join(" ").replaceAll("**", "");
}

function wordsOfBlock(block: Block): string {
  if (block.kind === "code") return block.text;
  if (block.kind === "list") return block.items.map(wordsOfInlines).join(" ");
  return wordsOfInlines(block.children);
}

function wordsOfInlines(all: readonly Inline[]): string {
  return all.map((one) => (typeof one === "string" ? one : "children" in one ? wordsOfInlines(one.children) : one.text)).join("");
}
