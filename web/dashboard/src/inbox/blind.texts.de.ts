import type { texts as en } from "./blind.texts";

export const texts = {
  blind: (names: readonly string[], more: number) =>
    names.length + more === 1
      ? `${names.join("")} sieht diese Unterhaltung nicht und wird nicht benachrichtigt.`
      : `${names.join(", ")}${more > 0 ? ` und ${more} weitere` : ""} sehen diese Unterhaltung nicht und werden nicht benachrichtigt.`,
} satisfies typeof en;
