// Texts of the page about questions without an answer.

export const texts = {
  title: "Gaps",
  description: "Questions of customers and members that no article answered, without addresses and numbers.",
  open: "Gaps",
  product: "Product",
  anyProduct: "Any product",
  noProduct: "For all products",
  week: "Week",
  allWeeks: "Last 26 weeks",
  weekOf: (day: string) => `Week of ${day}`,
  loading: "Loading questions",
  shown: (count: number) => (count === 1 ? "1 question" : `${count} questions`),
  asked: (count: number) => (count === 1 ? "asked once" : `asked ${count} times`),
  sources: { widget: "Chat", help_center: "Help center", agent: "Inbox", bot: "Agent" },
  write: "Write the missing article",
  dismiss: "Dismiss",
  dismissOf: (question: string) => `Dismiss “${question}”`,
  writeOf: (question: string) => `Write the missing article: ${question}`,
  dismissed: "The question is dismissed. It returns if somebody asks again.",
  none: "No gaps",
  whatFor: "When somebody asks and no article fits, the question appears here within a minute.",
};
