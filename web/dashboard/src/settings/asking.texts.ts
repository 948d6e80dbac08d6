// The part of a widget's settings that says what visitors are asked for.
export const texts = {
  title: "Ask visitors who they are",
  when: "Ask",
  off: "Never",
  before: "Before the first message",
  after: "After the first message",
  unconfirmed: "What visitors type is not confirmed: it opens nothing, and members see it beside the conversation. Customers with a signed identity are not asked.",
  name: "For the name",
  email: "For the e-mail address",
  required: "Visitors must answer",
  requiredBefore: "Nobody can write without an answer.",
};
