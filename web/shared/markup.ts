// The markup of messages: bold, italic, code, lists, quotes and links. It becomes
// nodes, never HTML: each page renders the nodes by its own elements, so a text
// cannot become anything else. What is not understood stays as it was typed.
import { pieces, webAddress } from "./links";

/** A part of a line. */
export type Inline = string | { kind: "strong" | "em"; children: Inline[] } | { kind: "code"; text: string } | Link;

/** A link. Its words were chosen by the author, or are the address itself. */
export interface Link {
  kind: "link";
  text: string;
  href: string;
  chosen: boolean;
}

/** A part of a message, of whole lines. */
export type Block =
  | { kind: "text"; children: Inline[] }
  | { kind: "code"; text: string }
  | { kind: "quote"; children: Inline[] }
  | { kind: "list"; ordered: boolean; start: number; items: Inline[][] };

/** How many characters are read for markup. Anything beyond is text. */
const looked = 20_000;

/** Reads a message. Its time is proportional to the length of the text. */
export function markup(text: string): Block[] {
  const blocks = linesOf(text.slice(0, looked)).flatMap((block, index, all) => {
    if (block.kind !== "text") return block;
    const children = trimmedLines(joined(block.children), index > 0, index < all.length - 1);
    return children.length > 0 ? { ...block, children } : [];
  });
  const rest = text.slice(looked);
  if (rest !== "") blocks.push({ kind: "text", children: [rest] });
  return blocks;
}

/** Whether a text has markup beyond addresses, which every text shows as links. */
export function hasMarkup(text: string): boolean {
  const marked = (inline: Inline) => typeof inline !== "string" && (inline.kind !== "link" || inline.chosen);
  return markup(text).some((block) => block.kind !== "text" || block.children.some(marked));
}

/** A text without the empty lines that only set it apart from the blocks around it. */
function trimmedLines(children: Inline[], start: boolean, end: boolean): Inline[] {
  return children
    .map((child, index) => {
      if (typeof child !== "string") return child;
      let from = 0;
      let to = child.length;
      while (start && index === 0 && child[from] === "\n") from++;
      while (end && index === children.length - 1 && to > from && child[to - 1] === "\n") to--;
      return child.slice(from, to);
    })
    .filter((child) => child !== "");
}

type Line = { kind: "text" | "quote"; text: string } | { kind: "item"; ordered: boolean; start: number; text: string };

const bullet = /^ {0,3}[-*•] (?=\S)/;
const numbered = /^ {0,3}(\d{1,4})[.)] (?=\S)/;

function lineOf(line: string): Line {
  if (line.startsWith(">")) return { kind: "quote", text: line.slice(line.startsWith("> ") ? 2 : 1) };
  const dot = bullet.exec(line);
  if (dot) return { kind: "item", ordered: false, start: 1, text: line.slice(dot[0].length) };
  const number = numbered.exec(line);
  if (number) return { kind: "item", ordered: true, start: Number(number[1]), text: line.slice(number[0].length) };
  return { kind: "text", text: line };
}

function linesOf(text: string): Block[] {
  const blocks: Block[] = [];
  const lines = text.split("\n");
  let closed = lines.length; // the last fence that can close a block
  while (closed > 0 && !lines[closed - 1]?.startsWith("```")) closed--;
  for (let at = 0; at < lines.length; at++) {
    const raw = lines[at] ?? "";
    if (raw.startsWith("```") && at < closed - 1) {
      let end = at + 1;
      while (!lines[end]?.startsWith("```")) end++;
      blocks.push({ kind: "code", text: lines.slice(at + 1, end).join("\n") });
      at = end;
      continue;
    }
    add(blocks, lineOf(raw));
  }
  return blocks;
}

/** Adds a line to the last block if it continues it, or else begins a block. */
function add(blocks: Block[], line: Line): void {
  const last = blocks.at(-1);
  const inlines = inlinesOf(line.text);
  if (line.kind === "item") {
    if (last?.kind === "list" && last.ordered === line.ordered) last.items.push(inlines);
    else blocks.push({ kind: "list", ordered: line.ordered, start: line.start, items: [inlines] });
  } else if (last?.kind === line.kind) {
    last.children.push("\n", ...inlines);
  } else {
    blocks.push({ kind: line.kind, children: inlines });
  }
}

/** A link with words. The address has no brackets, so that the pattern cannot begin twice in it. */
const worded = /\[([^[\]\n]{1,300})\]\((https?:\/\/[^\s()<>"[\]]{1,2048})\)/y;

/** The markup of a line. */
function inlinesOf(line: string): Inline[] {
  const parts: Inline[] = [];
  let plain = 0; // where the text begins that has no node yet
  let ticks = true; // whether another backtick may follow
  const put = (to: number, node: Inline, from: number) => {
    if (to > plain) parts.push(...linked(line.slice(plain, to)));
    parts.push(node);
    plain = from;
  };
  for (let at = 0; at < line.length; at++) {
    const char = line[at];
    if (char === "`" && ticks) {
      const end = line.indexOf("`", at + 1);
      ticks = end >= 0;
      if (end <= at + 1) continue;
      put(at, { kind: "code", text: line.slice(at + 1, end) }, end + 1);
      at = end;
    } else if (char === "[") {
      worded.lastIndex = at;
      const [whole, words, address] = worded.exec(line) ?? [];
      const href = address && webAddress(address);
      if (!whole || !words || !href) continue;
      put(at, { kind: "link", text: words, href, chosen: true }, at + whole.length);
      at += whole.length - 1;
    }
  }
  if (plain < line.length) parts.push(...linked(line.slice(plain)));
  return emphasized(parts);
}

/** The addresses in a text as links. */
function linked(text: string): Inline[] {
  return pieces(text).map((piece) => (piece.href ? { kind: "link", text: piece.text, href: piece.href, chosen: false } : piece.text));
}

const marks = ["**", "*", "_"] as const;

type Open = { mark: (typeof marks)[number]; at: number };

/** Finds what is bold or italic. Nothing is open twice, so a part is moved at most once for each mark. */
function emphasized(parts: Inline[]): Inline[] {
  const out: Inline[] = [];
  let open: Open[] = [];
  const close = (one: Open): void => {
    const children = out.splice(one.at);
    children.shift(); // the mark itself
    out.push({ kind: one.mark === "**" ? "strong" : "em", children: joined(children) });
    open = open.slice(0, open.indexOf(one));
  };
  parts.forEach((part, index) => {
    if (typeof part !== "string") {
      out.push(part);
      return;
    }
    let from = 0;
    for (let at = 0; at < part.length; at++) {
      const inner = open.at(-1)?.mark === "*" && part.startsWith("***", at); // of ***bold and italic***
      const mark = inner ? "*" : part[at] !== "*" && part[at] !== "_" ? undefined : marks.find((one) => part.startsWith(one, at));
      if (!mark) continue;
      const before = at > 0 ? part.charAt(at - 1) : index > 0 ? "." : " ";
      const after = part[at + mark.length] ?? (index < parts.length - 1 ? "." : " ");
      const same = open.find((one) => one.mark === mark);
      const closes = same && !isSpace(before) && !isWord(after) && out.length + Number(at > from) > same.at + 1;
      const opens = !same && !isSpace(after) && !isWord(before);
      if (closes || opens) {
        if (at > from) out.push(part.slice(from, at));
        if (closes) close(same);
        else {
          open.push({ mark, at: out.length });
          out.push(mark);
        }
        from = at + mark.length;
      }
      at += mark.length - 1;
    }
    if (from < part.length) out.push(part.slice(from));
  });
  return joined(out);
}

const isSpace = (char: string) => /^\s$/u.test(char);
const isWord = (char: string) => /^[\p{L}\p{N}_]$/u.test(char);

/** Neighbouring texts as one. */
function joined(parts: Inline[]): Inline[] {
  const out: Inline[] = [];
  let text: string[] = [];
  const flush = () => {
    if (text.length > 0) out.push(text.join(""));
    text = [];
  };
  for (const part of parts) {
    if (typeof part === "string") text.push(part);
    else {
      flush();
      out.push(part);
    }
  }
  flush();
  return out;
}
