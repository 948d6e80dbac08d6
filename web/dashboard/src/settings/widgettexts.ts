// The texts of the chat by their keys, as the widget has them and as a company changes
// them.

/** The languages of the chat, as the server names them. */
export const chatLanguages = ["en", "de", "fr", "es", "it", "pt", "nl", "pl", "tr", "sv", "da", "cs", "ar", "he"];

export type Words = Readonly<Record<string, string>>;

const forms = /\.(?:zero|one|two|few|many|other)$/;

/** The names of the places in a text, in order; null if a brace is not part of one. */
export function placesOf(text: string): string[] | null {
  const parts = text.split(/[{}]/);
  const names = parts.filter((_, index) => index % 2 === 1);
  const whole = parts.length % 2 === 1 && parts.reduce((all, part, index) => all + (index % 2 === 1 ? `{${part}}` : part), "") === text;
  return whole && names.every((name) => /^[a-z]+$/.test(name)) ? names.sort() : null;
}

/** Whether a text has the places of the chat's own one. A number may be left out, as in "one article". */
export function samePlaces(usual: string, own: string): boolean {
  const [wanted, given] = [placesOf(usual) ?? [], placesOf(own)];
  if (!given) return false;
  return given.join() === wanted.join() || given.join() === wanted.filter((name) => name !== "n").join();
}

/** What is stored: the texts that are given and differ. */
export function changedOf(usual: Words, values: Words): Record<string, string> {
  return Object.fromEntries(Object.entries(values).flatMap(([key, value]) => (value.trim() !== "" && value.trim() !== usual[key] ? [[key, value.trim()]] : [])));
}

/** What a text is for, in the language of the member: that of the same key, or of a form that the language has. */
export function labelOf(key: string, known: Words): string {
  return known[key] ?? known[key.replace(forms, ".other")] ?? known[key.replace(forms, ".one")] ?? key;
}

/** The keys whose text, in either language, has all the words of a search. */
export function keysFor(query: string, usual: Words, known: Words): string[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return Object.keys(usual).filter((key) => {
    const text = `${usual[key] ?? ""} ${labelOf(key, known)}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
