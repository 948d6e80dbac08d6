// Texts about members that a note names.

export const texts = {
  list: "Members and teams",
  team: (count: number) => (count === 1 ? "Team, 1 member" : `Team, ${count} members`),
  tells: (names: readonly string[], more: number) => `Tells ${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`,
  tooMany: (most: number, count: number) => `A note can name at most ${most} members; this one names ${count}.`,
  onlyNotes: "The customer reads this, and names in it tell nobody. A private note tells members.",
  unnamed: (names: readonly string[]) => `Mentions ${names.join(", ")}`,
};
