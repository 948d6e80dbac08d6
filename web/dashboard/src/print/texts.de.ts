import type { texts as en } from "./texts";

export const texts = {
  title: (name: string) => `Unterhaltung mit ${name}`,
  print: "Drucken",
  back: "Zurück zur Unterhaltung",
  notes: "Interne Notizen",
  note: "Interne Notiz",
  loading: (count: number) => `Lädt … ${count} Nachrichten`,
  count: (count: number) => (count === 1 ? "1 Nachricht" : `${count} Nachrichten`),
  about: (inbox: string, from: string, to: string) => `${inbox}, ${from} bis ${to}`,
  file: (name: string, size: string) => `${name} (${size}), Datei`,
  toPrint: "Drucken …",
} satisfies typeof en;
