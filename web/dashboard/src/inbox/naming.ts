// Offers names while one is typed.
import { best, score } from "../shell/ranking";
import { beginsAt, namesIn, type Name } from "./mentions";

/** How many characters behind an "@" are compared. */
const longestQuery = 40;

/**
 * The beginning of a name before the caret, and where its "@" is; null for none, and behind a whole name, unless it
 * begins a longer one.
 */
export function nameAt(text: string, caret: number, names: readonly Name[]): { start: number; query: string } | null {
  const from = Math.max(0, caret - longestQuery - 1);
  const at = text.slice(from, caret).lastIndexOf("@");
  if (at < 0) return null;
  const start = from + at;
  const query = text.slice(start + 1, caret);
  if (/^\s|\n/.test(query) || !beginsAt(text, start)) return null;
  const [whole] = namesIn(`@${query}`, names);
  const goesOn = query === query.trimEnd() && names.some(({ label }) => label.toLowerCase().startsWith(query.toLowerCase()));
  return whole && whole.end <= query.length && !goesOn ? null : { start, query };
}

/** The names that fit what is typed, the best first. Words after the first must begin words of the name. */
export function fittingNames(names: readonly Name[], query: string): Name[] {
  const spaced = /\s/.test(query);
  const ranked = ({ label, detail }: Name) => {
    const rank = Math.max(score(query, label), detail !== "" && detail.startsWith(query.toLowerCase()) ? 2 : 0);
    return spaced && rank < 3 ? 0 : rank;
  };
  return best(names, ranked).slice(0, 8);
}
