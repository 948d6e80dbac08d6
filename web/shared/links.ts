/** Text in pieces; those with an address are links. */
export interface Piece {
  text: string;
  href?: string;
}

/**
 * How many characters are searched for links, and the longest address that becomes a link. Anything beyond stays text.
 */
const looked = 20_000;
const longest = 2048;

/**
 * Finds web and mail addresses. The rest of a message stays text, markup included. The parts of the pattern that can
 * begin at many places are bounded, so its time is proportional to the length of the text.
 */
export function pieces(text: string): Piece[] {
  const found: Piece[] = [];
  const pattern = /\bhttps?:\/\/[^\s<>"“”]+|\b[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}\b/giu;
  let end = 0;
  for (const match of text.slice(0, looked).matchAll(pattern)) {
    const whole = match[0];
    // An address that reaches the end of the searched text may continue after it.
    if (whole.length > longest || (text.length > looked && match.index + whole.length === looked)) continue;
    const link = trimmed(whole);
    const href = link.includes("://") ? webAddress(link) : `mailto:${link}`;
    if (!href) continue;
    if (match.index > end) found.push({ text: text.slice(end, match.index) });
    found.push({ text: link, href });
    end = match.index + link.length;
  }
  if (end < text.length) found.push({ text: text.slice(end) });
  return found;
}

/**
 * The address without the punctuation of the sentence and without the closing brackets that were opened before the
 * link.
 */
function trimmed(link: string): string {
  let unopened = count(link, ")") - count(link, "(");
  let end = link.length;
  for (; end > 0; end--) {
    const char = link.charAt(end - 1);
    if (char === ")" && unopened > 0) unopened--;
    else if (!".,;:!?'…".includes(char)) break;
  }
  return link.slice(0, end);
}

function count(text: string, char: string): number {
  return text.split(char).length - 1;
}

/** A web address in its normal form, or null if it is none. */
export function webAddress(link: string): string | null {
  try {
    const { protocol, href } = new URL(link);
    return protocol === "http:" || protocol === "https:" ? href : null;
  } catch {
    return null;
  }
}
