// The part of a widget's settings that says when customers who left get mail.
export const texts = {
  title: "Continue by mail",
  when: "Mail what a customer has missed",
  never: "Never",
  after: (minutes: number) => `${minutes} minutes after the last message`,
  hint: "One mail for each time that a customer is away, at most one a day. An address that a visitor typed gets one mail in all, after a member has written.",
  needsServer: "This needs a mail server:",
  mail: "Settings, Mail",
};
