// What people read in the frame around the pages.
// English is the first catalogue; another one is an object of the same type.

export const texts = {
  help: {
    keyboardShortcuts: "Keyboard shortcuts",
  },

  line: {
    offline: "Offline. What you see may be old.",
    reconnecting: "Reconnecting … What you see may be old.",
  },

  meMenu: {
    yourAccount: "Your account",
  },

  navigation: {
    pages: "Pages",
    removeTheView: (name: string) => `Remove the view ${name}`,
  },

  palette: {
    searchAndCommands: "Search and commands",
    placeholder: "Search, or type a command",
    found: "Found",
    searchEverything: (query: string) => `Search everything for “${query}”`,
    searching: "Searching …",
  },

  shell: {
    newConversation: "New conversation",
    search: "Search",
    skipNavigation: "Skip navigation",
    skipToTheConversation: "Skip to the conversation",
    navigation: "Navigation",
    offline: "Offline",
  },

  signOut: {
    loseUnsent: "Sign out and lose what is not sent?",
    signOut: "Sign out",
    consequences: "Signing out removes everything of yours from this browser, so that nobody else finds it here.",
  },

  unsent: {
    notSent: (count: number) => `${count} not sent`,
  },
};
