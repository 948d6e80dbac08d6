// Splitting conversations.
export const texts = {
  dialog: "Split the conversation",
  choose: "From which message on is it another matter?",
  list: "Messages, the newest first",
  none: "A conversation with one message cannot be split.",
  noMatch: "No message says that.",
  earlier: "Show earlier messages",
  act: "choose",
  here: "Split from here",
  moves: (count: number, name: string) => (count === 1 ? `One message moves to a new conversation with ${name}:` : `${count} messages move to a new conversation with ${name}, from this one on:`),
  tooMany: "At most 1,000 messages can be moved. Choose a later one.",
  rest: "Assignee, team and priority stay the same. Drafts and scheduled messages stay here. You can take it back.",
  action: (count: number) => (count === 1 ? "Move 1 message" : `Move ${count} messages`),
  done: (count: number, name: string) => `${count === 1 ? "1 message" : `${count} messages`} split off · ${name}`,
  conflict: "", // the server says it
  cancel: "Cancel",
  back: "Merge it back",
  open: "Open it",
  undone: "The conversations are one again",
};
