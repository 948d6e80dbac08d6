import type { texts as en } from "./macros.texts";

export const texts = {
  title: "Makro ausführen",
  placeholder: "Makro suchen",
  list: "Makros",
  none: "Keine Makros. Legen Sie eines in den Einstellungen an.",
  nothing: "Kein Makro enthält diese Wörter.",
  run: "ausführen",
  preview: "Was es tut",
  done: (name: string) => `„${name}“ ist erledigt`,
  note: (text: string) => `Notiz: ${text}`,
  reply: (text: string) => `Antwort: ${text}`,
  status: (status: string) => `Status: ${status}`,
  priority: (priority: string) => `Priorität: ${priority}`,
  assignee: (name: string) => `Zuständig: ${name}`,
  product: (name: string) => `Produkt: ${name}`,
  me: "wer es ausführt",
  nobody: "niemand",
  noPriority: "keine",
  addLabels: (labels: string) => `Labels hinzufügen: ${labels}`,
  removeLabels: (labels: string) => `Labels entfernen: ${labels}`,
} satisfies typeof en;
