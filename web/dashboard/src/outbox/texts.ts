// Texts about unsent messages. English is the first catalogue; another language
// is an object of the same type.

export const texts = {
  item: {
    timeout: "The server did not answer in time.",
    unreachable: "The server cannot be reached.",
    signedOut: "You are signed out.",
    anotherMember: "Another member is signed in here.",
    notAllowed: "You may not write here.",
    tooMuch: "You have sent too many requests.",
    serverFails: "The server cannot answer now.",
    memberGone: "Somebody whom it names is no longer a member. Go back to editing.",
    fileGone: "A file is no longer on the server. Go back to editing and attach it again.",
    conversationGone: "The conversation no longer exists.",
    tooLong: "It is too long for a message.",
    you: "You",
    theAutomatedAgent: "The automated agent",
    somebody: "Somebody",
  },

  leaving: {
    one: "One of your messages is not sent yet.",
    more: (count: number) => `${count} of your messages are not sent yet.`,
  },
};
