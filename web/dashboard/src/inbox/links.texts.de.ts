import type { texts as en } from "./links.texts";

export const texts = {
  title: "Verknüpfte Unterhaltungen",
  link: "Verknüpfen mit …",
  dialog: "Mit einer Unterhaltung verknüpfen",
  placeholder: "Unterhaltungen suchen",
  list: "Unterhaltungen",
  others: "Vom selben Kontakt",
  nothing: "Keine Unterhaltung enthält diese Wörter.",
  none: "Der Kontakt hat keine andere Unterhaltung. Tippen Sie, um alle zu durchsuchen.",
  act: "verknüpfen",
  linked: (name: string) => `Mit der Unterhaltung mit ${name} verknüpft`,
  unlink: (name: string) => `Verknüpfung mit der Unterhaltung mit ${name} aufheben`,
  unlinked: "Die Verknüpfung ist aufgehoben",
} satisfies typeof en;
