/** The first letters of the first and the last word; "?" for no name. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return letters.map((word) => Array.from(word ?? "?")[0]?.toUpperCase() ?? "?").join("");
}
