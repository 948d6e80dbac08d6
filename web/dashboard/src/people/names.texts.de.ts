import type { texts as en } from "./names.texts";

export const texts = {
  unnamedContact: "Unbenannter Kontakt",
  active: (date: string) => `aktiv ${date}`,
} satisfies typeof en;
