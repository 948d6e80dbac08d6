// Conversations that concern each other.
export const texts = {
  title: "Linked conversations",
  link: "Link to …",
  dialog: "Link to a conversation",
  placeholder: "Search conversations",
  list: "Conversations",
  others: "Of the same contact",
  nothing: "No conversation has these words.",
  none: "The contact has no other conversation. Type to search all.",
  act: "link",
  linked: (name: string) => `Linked to the conversation with ${name}`,
  unlink: (name: string) => `Unlink the conversation with ${name}`,
  unlinked: "The link has ended",
};
