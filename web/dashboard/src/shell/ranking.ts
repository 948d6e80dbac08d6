// How well a text names a command, and which verbs take an argument: "assign bo".
import { fold } from "../kit";

/** What a verb can be told. */
export interface Choice {
  id: string;
  label: string;
  /** What is typed for it; the label if it is absent. */
  name?: string;
  run: () => void;
}

export interface Verb {
  /** What it is called, such as "assign" and "assign to". */
  names: readonly string[];
  /** What it can be told; of a function, what it makes of a text. */
  choices: readonly Choice[] | ((text: string) => readonly Choice[]);
}

/** The most choices of a verb that are shown. */
const mostShown = 8;

/** How well a query names a text: 4 its beginning, 3 beginnings of its words, 2 parts of it, 1 its letters in order, 0 not at all. */
export function score(query: string, text: string): number {
  const [wanted, given] = [fold(query), fold(text)];
  if (wanted === "") return 1;
  if (given.startsWith(wanted)) return 4;
  const words = wordsOf(wanted);
  const own = wordsOf(given);
  if (words.every((word) => own.some((one) => one.startsWith(word)))) return 3;
  if (words.every((word) => given.includes(word))) return 2;
  let at = -1;
  for (let index = 0; index < wanted.length; index++) {
    if (wanted[index] === " ") continue;
    at = given.indexOf(wanted.charAt(index), at + 1);
    if (at < 0) return 0;
  }
  return 1;
}

const wordsOf = (text: string) => text.split(/[^\p{L}\p{N}]+/u).filter(Boolean);

/** The best first; of equals those of `recent`, the latest first, then in their order. */
export function best<T>(items: readonly T[], ranked: (item: T) => number, recent: (item: T) => number = () => -1): T[] {
  const place = (item: T) => (recent(item) < 0 ? Infinity : recent(item));
  return items
    .map((item) => ({ item, rank: ranked(item) }))
    .filter(({ rank }) => rank > 0)
    .sort((a, b) => b.rank - a.rank || Math.min(place(a.item), 1e6) - Math.min(place(b.item), 1e6))
    .map(({ item }) => item);
}

/** What a text tells the verbs that it begins with. */
export function told(text: string, verbs: readonly Verb[]): Choice[] {
  const typed = fold(text).replace(/\s+/g, " ");
  return verbs.flatMap(({ names, choices }) => {
    const verb = names
      .map(fold)
      .filter((one) => typed === one || typed.startsWith(`${one} `))
      .sort((a, b) => b.length - a.length)[0];
    if (verb === undefined) return [];
    const rest = typed.slice(verb.length).trim();
    if (typeof choices === "function") return choices(rest);
    const ranked = ({ name = "", label }: Choice) => {
      const rank = score(rest, name || label);
      return rank === 1 && rest !== "" ? 0 : rank; // letters in order are too little for an argument
    };
    return best(choices, ranked).slice(0, mostShown);
  });
}
