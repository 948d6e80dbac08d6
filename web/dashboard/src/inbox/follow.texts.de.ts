import type { texts as en } from "./follow.texts";

export const texts = {
  follow: "Folgen",
  leave: "Nicht mehr folgen",
  followed: "Sie folgen dieser Unterhaltung: ihre Nachrichten stehen in Ihren Mitteilungen.",
  left: "Sie folgen dieser Unterhaltung nicht mehr.",
  title: "Folgende",
  nobody: "Niemand folgt dieser Unterhaltung.",
  me: (name: string) => `${name} (Sie)`,
} satisfies typeof en;
