// Texts about following a conversation.

export const texts = {
  follow: "Follow",
  leave: "Do not follow",
  followed: "You follow this conversation: its messages are in your notices.",
  left: "You do not follow this conversation any more.",
  title: "Followers",
  nobody: "Nobody follows this conversation.",
  me: (name: string) => `${name} (you)`,
};
