// An article as the text of a message: messages have no Markdown.

/** The text without marks. Links keep their address; those to other articles begin with `base`, if there is one. */
export function plainOf(markdown: string, base: string): string {
  let code = false;
  const lines = markdown.split("\n").map((line) => {
    const fence = /^\s*(?:```|~~~)/.test(line);
    if (fence) code = !code;
    return fence ? null : code ? line.trimEnd() : lineOf(line, base);
  });
  const kept = lines.filter((line, index) => line !== null && !(line === "" && (lines[index - 1] ?? "") === ""));
  return kept.join("\n").trim();
}

/** One line; null for one that only marks something. */
function lineOf(line: string, base: string): string | null {
  const text = line.trim();
  if (text.startsWith("|")) return rowOf(text, base);
  if (text.startsWith("#")) return inline(withoutHashes(text), base);
  const bullet = /^[-*+] /.test(text);
  return bullet ? `- ${inline(text.slice(2), base)}` : inline(text.startsWith("> ") ? text.slice(2) : text, base);
}

function withoutHashes(text: string): string {
  const hashes = /^#{1,6} /.exec(text)?.[0] ?? "";
  return text.slice(hashes.length);
}

/** The cells of a table's row, or null for the line below its head. */
function rowOf(text: string, base: string): string | null {
  const cells = text
    .split("|")
    .map((cell) => cell.trim())
    .filter((cell) => cell !== "");
  return cells.every((cell) => /^[-:]+$/.test(cell)) ? null : cells.map((cell) => inline(cell, base)).join(" – ");
}

function inline(text: string, base: string): string {
  return text
    .replace(/!?\[([^[\]]*)\]\(([^()\s]*)\)/g, (whole, name: string, address: string) => (whole.startsWith("!") ? "" : linkOf(name, address, base)))
    .replaceAll("**", "")
    .replaceAll("`", "")
    .replace(/\*(?=[^\s*])|\\(?=[*_[\]])/g, "")
    .replace(/([^\s*])\*/g, "$1");
}

function linkOf(name: string, address: string, base: string): string {
  if (/^https?:\/\//.test(address)) return name === address || name === "" ? address : `${name} (${address})`;
  if (address.startsWith("mailto:")) return name;
  return base === "" || address.startsWith("#") || address.startsWith("/") ? name : `${name} (${base}${address})`;
}
