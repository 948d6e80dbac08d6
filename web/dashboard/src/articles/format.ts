// What the toolbar and the shortcuts of the editor do to Markdown.

/** A replacement in a text, and what is selected afterwards. */
export interface Edit {
  from: number;
  to: number;
  text: string;
  select: readonly [start: number, end: number];
}

export type Format = "bold" | "italic" | "code" | "link" | "heading" | "bullets" | "numbers" | "quote";

const marks: Partial<Record<Format, string>> = { bold: "**", italic: "*", code: "`" };

export function formatted(text: string, start: number, end: number, format: Format): Edit {
  const mark = marks[format];
  if (format === "code" && text.slice(start, end).includes("\n")) return fenced(text, start, end);
  if (mark) return wrapped(text, start, end, mark);
  if (format === "link") return linked(text, start, end);
  return lined(text, start, end, format as keyof typeof prefixes);
}

/** Puts marks around the selection, or removes those that are there. */
function wrapped(text: string, start: number, end: number, mark: string): Edit {
  const size = mark.length;
  const inner = text.slice(start, end);
  const longer = (at: number) => mark === "*" && text[at] === "*";
  if (text.slice(start - size, start) === mark && text.slice(end, end + size) === mark && !longer(start - 2) && !longer(end + 1)) {
    return { from: start - size, to: end + size, text: inner, select: [start - size, end - size] };
  }
  if (inner.length >= 2 * size && inner.startsWith(mark) && inner.endsWith(mark) && !(mark === "*" && inner.startsWith("**"))) {
    return { from: start, to: end, text: inner.slice(size, -size), select: [start, end - 2 * size] };
  }
  // A caret before the closing marks moves behind them.
  if (start === end && text.startsWith(mark, start) && !longer(start + size)) return { from: start, to: start, text: "", select: [start + size, start + size] };
  // Marks beside a blank are no marks.
  const core = inner.trim();
  const before = inner.slice(0, inner.length - inner.trimStart().length);
  const after = core === "" ? "" : inner.slice(before.length + core.length);
  const at = start + before.length + size;
  return { from: start, to: end, text: `${before}${mark}${core}${mark}${after}`, select: [at, at + core.length] };
}

function fenced(text: string, start: number, end: number): Edit {
  const from = text.lastIndexOf("\n", start - 1) + 1;
  const lines = text.slice(from, end).replace(/\n$/, "");
  const block = `\`\`\`\n${lines}\n\`\`\`\n`;
  return { from, to: end, text: block, select: [from + 4, from + 4 + lines.length] };
}

const isAddress = (text: string) => /^(?:https?:\/\/|mailto:)\S+$/.test(text);

const scheme = "https://";

function linked(text: string, start: number, end: number): Edit {
  const inner = text.slice(start, end);
  if (isAddress(inner)) return { from: start, to: end, text: `[](${inner})`, select: [start + 1, start + 1] };
  const address = start + inner.length + 3;
  return { from: start, to: end, text: `[${inner}](${scheme})`, select: inner === "" ? [start + 1, start + 1] : [address, address + scheme.length] };
}

/** A selected text becomes a link when an address is pasted over it; null if it does not. */
export function pastedLink(text: string, start: number, end: number, pasted: string): Edit | null {
  const inner = text.slice(start, end);
  const address = pasted.trim();
  if (inner.trim() === "" || inner.includes("\n") || isAddress(inner) || !isAddress(address)) return null;
  const made = `[${inner}](${address})`;
  return { from: start, to: end, text: made, select: [start + made.length, start + made.length] };
}

const prefixes: Record<Exclude<Format, "bold" | "italic" | "code" | "link">, { known: RegExp; of: (index: number) => string }> = {
  heading: { known: /^#{1,6} /, of: () => "## " },
  bullets: { known: /^[-*+] /, of: () => "- " },
  numbers: { known: /^\d+[.)] /, of: (index) => `${index + 1}. ` },
  quote: { known: /^> ?/, of: () => "> " },
};

/** Gives the lines of the selection a prefix, or removes it if all have it. */
function lined(text: string, start: number, end: number, format: keyof typeof prefixes): Edit {
  const from = text.lastIndexOf("\n", start - 1) + 1;
  const found = text.indexOf("\n", Math.max(start, end - (end > start && text[end - 1] === "\n" ? 1 : 0)));
  const to = found < 0 ? text.length : found;
  const lines = text.slice(from, to).split("\n");
  const { known, of } = prefixes[format];
  const remove = lines.every((line) => known.test(line) || (line === "" && lines.length > 1));
  let count = 0;
  const changed = lines
    .map((line) => {
      if (remove) return line.replace(known, "");
      if (line === "" && lines.length > 1) return line;
      const bare = Object.values(prefixes).reduce((rest, { known: other }) => rest.replace(other, ""), line);
      return of(count++) + bare;
    })
    .join("\n");
  const moved = changed.length - (to - from);
  return { from, to, text: changed, select: start === end ? [Math.max(from, end + moved), Math.max(from, end + moved)] : [from, from + changed.length] };
}

/** What Enter does in a list: the next item, or the end of the list after an empty one; null elsewhere. */
export function continued(text: string, caret: number): Edit | null {
  const from = text.lastIndexOf("\n", caret - 1) + 1;
  const line = text.slice(from, caret);
  const [whole, indent = "", mark = "", number] = /^(\s*)([-*+]|(\d+)[.)]|>) /.exec(line) ?? [];
  if (whole === undefined) return null;
  if (line === whole) return { from, to: caret, text: "", select: [from, from] };
  const next = number === undefined ? mark : `${Number(number) + 1}${mark.slice(-1)}`;
  const added = `\n${indent}${next} `;
  return { from: caret, to: caret, text: added, select: [caret + added.length, caret + added.length] };
}

/** The Markdown of a picture, with a description for those who do not see it. */
export function pictureText(fileName: string, path: string): string {
  const dot = fileName.lastIndexOf(".");
  const name = (dot > 0 ? fileName.slice(0, dot) : fileName).replace(/[[\]\\]/g, "").trim();
  return `![${name}](${path})`;
}
