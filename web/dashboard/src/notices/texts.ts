// Texts of the bell and its list. English is the first catalogue; another
// language is an object of the same type.

export const texts = {
  title: "Notices",
  close: "Close",

  show: "Which notices",
  all: "All",
  onlyUnread: "Unread",
  mentions: "Mentions",

  readAll: "Mark all as read",
  read: "Mark as read",
  unread: "Unread",
  open: "Open",
  toChoose: "Choose",

  none: "Nothing yet",
  noneSaid: "When somebody mentions you, assigns you a conversation, or writes in one that you follow, it is here.",
  nothingUnread: "You have read everything",
  noMentions: "Nobody has mentioned you",
  old: "Notices are kept for 90 days.",

  in: (contact: string) => `with ${contact}`,
  somebody: "Somebody",
  mentioned: (who: string, count: number) => `${who} mentioned you${count > 1 ? ` ${count} times` : ""}`,
  assigned: (who: string) => (who === "" ? "Assigned to you" : `${who} assigned you a conversation`),
  wrote: (who: string, count: number) => `${who} wrote${count > 1 ? ` ${count} messages` : ""}`,
  answered: (who: string, count: number) => (count > 1 ? `${count} messages, the last by ${who}` : `${who} answered`),
  noted: (who: string, count: number) => (count > 1 ? `${count} notes, the last by ${who}` : `${who} wrote a note`),
  woke: "Is back",
};
