// Texts about unsent messages. English is the first catalogue; another language
// is an object of the same type.

export const texts = {
  item: {
    timeout: "The server did not answer in time.",
    unreachable: "The server cannot be reached.",
    signedOut: "You are signed out.",
    anotherMember: "Another member is signed in here.",
    notAllowed: "You may not write here.",
    tooMuch: "The server has too much to do for you right now.",
    serverFails: "The server cannot answer now.",
    fileGone: "A file is not on the server any more. Go back to editing and attach it again.",
    conversationGone: "The conversation is not there any more.",
    tooLong: "It is longer than a message may be.",
    you: "You",
    theAutomatedAgent: "The automated agent",
    somebody: "Somebody",
  },

  leaving: {
    one: "One message of yours is not sent yet.",
    more: (count: number) => `${count} messages of yours are not sent yet.`,
  },
};
