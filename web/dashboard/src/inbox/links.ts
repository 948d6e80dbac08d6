/** Text in pieces; those with an address are links. */
export interface Piece {
  text: string;
  href?: string;
}

/** Finds web and mail addresses. What else a message holds stays text, markup included. */
export function pieces(text: string): Piece[] {
  const found: Piece[] = [];
  const pattern = /\bhttps?:\/\/[^\s<>"“”]+|\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+\b/giu;
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    const link = trimmed(match[0]);
    const href = link.includes("://") ? webAddress(link) : `mailto:${link}`;
    if (!href) continue;
    if (match.index > end) found.push({ text: text.slice(end, match.index) });
    found.push({ text: link, href });
    end = match.index + link.length;
  }
  if (end < text.length) found.push({ text: text.slice(end) });
  return found;
}

/** Without the sentence's own marks, and without a closing bracket that was opened before the link. */
function trimmed(link: string): string {
  const rest = link.replace(/[.,;:!?'…]+$/u, "");
  return rest.endsWith(")") && count(rest, ")") > count(rest, "(") ? trimmed(rest.slice(0, -1)) : rest;
}

function count(text: string, char: string): number {
  return text.split(char).length - 1;
}

function webAddress(link: string): string | null {
  try {
    const { protocol, href } = new URL(link);
    return protocol === "http:" || protocol === "https:" ? href : null;
  } catch {
    return null;
  }
}
