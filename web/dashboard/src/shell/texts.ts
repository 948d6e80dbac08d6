// Texts of the frame around the pages. English is the first catalogue; another
// language is an object of the same type.

export const texts = {
  backups: {
    late: "The server’s backups are overdue. Tell the person who runs the server.",
    lateSince: (time: string) => `The last backup of the server was on ${time}, and the next one is overdue. Tell the person who runs the server.`,
  },

  help: {
    keyboardShortcuts: "Keyboard shortcuts",
  },

  line: {
    offline: "Offline. What you see may be old.",
    reconnecting: "Reconnecting … What you see may be old.",
  },

  meMenu: {
    yourAccount: "Your account",
    profileAndSessions: "Profile and sessions",
    keyboardShortcuts: "Keyboard shortcuts",
    theme: "Theme",
    light: "Light",
    dark: "Dark",
    system: "System",
    signOut: "Sign out",
  },

  navigation: {
    pages: "Pages",
    removeTheView: (name: string) => `Remove the view ${name}`,
    savedViews: "Saved views",
    inboxes: "Inboxes",
    products: "Products",
    withoutAProduct: "Without a product",
    labels: "Labels",
    contacts: "Contacts",
    companies: "Companies",
    reports: "Reports",
    settings: "Settings",
  },

  palette: {
    searchAndCommands: "Search and commands",
    placeholder: "Search, or type a command",
    found: "Found",
    searchEverything: (query: string) => `Search everything for “${query}”`,
    searching: "Searching …",
    esc: "Esc",
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
    loseUnsent: "Sign out and lose unsent messages?",
    signOut: "Sign out",
    consequences: "Signing out removes all of your data from this browser, so that nobody else finds it here.",
    sendingTheRest: "Sending your unsent messages, then signing out …",
  },

  unsent: {
    notSent: (count: number) => `${count} not sent`,
    oneNotSent: (name: string, why: string) => `Not sent${name && ` to ${name}`}${why}`,
    messagesAreNotSent: (count: number) => `${count} messages are not sent.`,
    show: "Show",
  },

  shortcuts: {
    searchAndCommands: "Search and commands",
    everywhere: "Everywhere",
    showAllShortcuts: "Show all shortcuts",
    searchConversations: "Search conversations",
    newConversation: "New conversation",
    goToAllOpen: "Go to all open",
    goTo: "Go to",
    goToMine: "Go to mine",
    goToUnassigned: "Go to unassigned",
    goToWaiting: "Go to waiting",
    goToContacts: "Go to contacts",
    goToCompanies: "Go to companies",
    goToReports: "Go to reports",
    goToSettings: "Go to settings",
    nextConversation: "Next conversation",
    list: "List",
    previousConversation: "Previous conversation",
    openTheConversation: "Open the conversation",
    backToTheList: "Back to the list",
    leave: "Leave the field, then the conversation",
    conversation: "Conversation",
    reply: "Reply",
    writeAPrivateNote: "Write a private note",
    attachFiles: "Attach files",
    send: "Send",
    sendAndResolve: "Send and resolve",
    resolveOrReopen: "Resolve or reopen",
    markAsSpam: "Mark as spam, or not",
    markAsUnread: "Mark as unread",
    changeTheStatus: "Change the status",
    assign: "Assign",
    assignToMe: "Assign to me",
    changeLabels: "Change labels",
    changeThePriority: "Change the priority",
    showOrHideContact: "Show or hide the contact",
  },
};
