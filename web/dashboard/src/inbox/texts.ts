// What the inbox says. English is the first catalogue; another one is an object of
// the same type.

export const texts = {
  cannedList: {
    cannedAnswers: "Canned answers",
  },

  composer: {
    whatToWrite: "What to write",
    reply: "Reply",
    privateNote: "Private note",
    notePlaceholder: "Only your team sees this",
    replyPlaceholder: (name: string) => `Reply to ${name || "the customer"}. Type / for a canned answer`,
    tooLong: "This is longer than a message may be.",
    drop: "Drop files to attach them",
    full: (most: number) => `A message takes ${most} files`,
    noteHint: "Customers never see private notes",
  },

  composerFoot: {
    attachFiles: "Attach files",
    cannedAnswers: "Canned answers",
    findCannedAnswer: "Find a canned answer",
    addNoteAndResolve: "Add the note and resolve",
    sendAndResolve: "Send and resolve",
    sendKeys: "Ctrl+Enter, on a Mac ⌘+Enter",
    addNote: "Add note",
    send: "Send",
  },

  contactPane: {
    contact: "Contact",
    conversationAttributes: "Attributes of the conversation",
    notShown: "This part cannot be shown.",
    noCompany: "No company",
    hide: "Hide the contact",
    contactAttributes: "Attributes of the contact",
    copyId: "Copy the id",
    open: "Open",
    pending: "Pending",
    resolved: "Resolved",
    otherConversations: "Other conversations",
    noOthers: "This is the only one.",
  },

  conversationPane: {
    conversation: "Conversation",
    notFound: "Conversation not found",
    back: "Back to the list",
    conversationWith: (name: string) => `Conversation with ${name}`,
  },

  duplicates: {
    possibleDuplicate: "Possible duplicate",
    hasSame: "has the same",
    phoneNumber: "phone number",
    email: "e-mail address",
    mergeInto: "Merge …",
    notSame: "Not the same person",
    question: (gone: string, kept: string) => `Merge ${gone} into ${kept}?`,
    merge: "Merge",
    consequences: (kept: string, gone: string) =>
      `For one person who is here twice. ${kept} stays and gets the conversations of both, and may read them in the chat. ${gone} disappears. It cannot be undone.`,
  },

  filterDialog: {
    filterConversations: "Filter conversations",
    clear: "Clear",
    show: "Show",
  },

  firstSteps: {
    title: "Set up your workspace",
    firstSteps: "First steps",
    done: "Done",
    toDo: "To do",
  },

  greeting: {
    chatGreets: (greeting: string) => `The chat greets with: “${greeting}”`,
  },

  header: {
    back: "Back to the list",
    reopen: "Reopen",
    resolve: "Resolve",
    markUnread: "Mark as unread",
    hideContact: "Hide the contact",
    showContact: "Show the contact",
    status: "Status",
    assignee: "Assignee",
    priority: "Priority",
    product: "Product",
    labels: "Labels",
    findLabel: "Find or add a label",
  },

  inboxPage: {
    nothingOpen: "No conversation is open",
    choose: "Choose one from the list, or go through it with",
    and: "and",
    showsKeys: "shows all keys.",
  },

  listPane: {
    conversations: "Conversations",
    news: (count: number) => `${count} new`,
    saveView: "Save this view",
    filter: "Filter",
    loadingMore: "Loading more …",
    end: "That is all.",
    moreFailed: "More could not be loaded.",
    tryAgain: "Try again",
    withoutTheFilter: (text: string) => `Without the filter ${text}`,
    noMatch: "No conversation matches this view",
    allOpen: "All open",
    matchesAppear: "Matching conversations appear here as they come in.",
    nobodyWaits: "Nobody is waiting",
    newAppear: "New conversations from your website, WhatsApp and the API appear here.",
  },

  messageBubble: {
    privateNote: "private note",
    queued: "Queued",
    sent: "Sent",
    delivered: "Delivered",
    read: "Read",
    notDelivered: "Not delivered",
    plain: "Message as plain text",
  },

  messages: {
    messages: "Messages",
    loadOlder: "Load older messages",
    beginning: "Beginning of the conversation",
    none: "No messages yet",
    writeFirst: "Write the first one below.",
    loadLater: "Load later messages",
    isWriting: (name: string) => `${name} is writing …`,
    newest: "Newest",
  },

  newConversation: {
    title: "New conversation",
    start: "Start conversation",
    contact: "Contact",
    contactPlaceholder: "Name, e-mail or phone",
    waysUnknown: "Nobody knows how to reach this contact now",
    unreachable: (name: string) => `${name} cannot be reached from here.`,
    whatItTakes: "It takes a phone number and a connected WhatsApp number that may write to it, or a chat of theirs on your website.",
    inbox: "Inbox",
    product: "Product",
    firstMessage: "First message",
  },

  others: {
    writes: (name: string) => `${name} is writing an answer …`,
    looks: (name: string) => `${name} is also looking at this`,
  },

  row: {
    notSent: "Not sent",
    sending: "Sending …",
    gone: "No longer in this list.",
    pending: "Pending",
    resolved: "Resolved",
    assignedTo: (name: string) => `Assigned to ${name}`,
    unread: "Unread",
    unreadHidden: "unread",
    waitingSince: (time: string) => `Waiting since ${time}`,
    waiting: (span: string) => `waiting ${span}`,
    conversation: "Conversation",
    draft: (text: string) => `Draft: ${text}`,
    noMessagesYet: "No messages yet",
    privateNote: "Private note",
    automatedAgent: "Automated agent",
    reply: "Reply",
  },

  saveViewDialog: {
    title: "Save this view",
    description: "The view is saved in this browser. To share it, send its address.",
    saveView: "Save view",
    name: "Name",
  },

  files: { large: (size: string) => `Too large: ${size}. Files may have up to 25 MB.`, empty: "The file is empty." },

  uploadList: {
    attachedFiles: "Attached files",
    sending: (name: string) => `Sending ${name}`,
    remove: (name: string) => `Remove ${name}`,
  },

  waitingBubble: {
    onItsWay: "Message on its way",
    wasNotSent: "Message that was not sent",
    sending: "Sending …",
    goesByItself: (sentence: string) => `Not sent: ${sentence} It goes by itself as soon as it can.`,
    tryNow: "Try now",
    discard: "Discard",
    notSent: (sentence: string) => `Not sent: ${sentence}`,
    tryAgain: "Try again",
    edit: "Edit",
    sendAllTheSame: "Send this all the same?",
    backToEditing: "Back to editing",
    sendAndReopen: "Send and reopen",
    sendKeepResolved: "Send, keep resolved",
    addAnyway: "Add anyway",
    sendAnyway: "Send anyway",
  },
};
