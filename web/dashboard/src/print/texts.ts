// Texts of the printed conversation.

export const texts = {
  title: (name: string) => `Conversation with ${name}`,
  print: "Print",
  back: "Back to the conversation",
  notes: "Private notes",
  note: "Private note",
  loading: (count: number) => `Loading … ${count} messages`,
  count: (count: number) => (count === 1 ? "1 message" : `${count} messages`),
  about: (inbox: string, from: string, to: string) => `${inbox} · ${from} – ${to}`,
  file: (name: string, size: string) => `${name} (${size})`,
  toPrint: "Print …",
};
