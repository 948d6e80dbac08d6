// Texts of controls and states, for all pages. English is the first catalogue;
// another language is an object of the same type.

/** The format of dates and numbers. */
export const locale = "en-GB";

export const texts = {
  badge: {
    removeTheLabel: (name: string) => `Remove the label ${name}`,
  },

  combobox: {
    typeToSearch: "Type to search",
    searching: "Searching …",
    nothingFound: "Nothing found",
  },

  copyField: {
    copied: "Copied",
    copy: "Copy",
    shownOnce: "It is shown only once. Keep it in a safe place.",
  },

  dialog: {
    close: "Close",
    cancel: "Cancel",
  },

  field: {
    optional: "(optional)",
    clearTheSearch: "Clear the search",
  },

  formDialog: {
    cancel: "Cancel",
  },

  leave: {
    discardUnsavedChanges: "Discard unsaved changes?",
    discard: "Discard",
    unsaved: "What you changed on this page is not saved yet.",
  },

  picker: {
    search: "Search",
    add: (typed: string) => `Add “${typed}”`,
    nothingFound: "Nothing found",
  },

  states: {
    tryAgain: "Try again",
    loading: "Loading …",
    notLoaded: "This could not be loaded",
  },

  toast: {
    notifications: "Notifications",
    closeTheNotification: "Close the notification",
  },

  kbd: {
    ctrl: "Ctrl",
  },

  time: {
    now: "now",
    seconds: (count: number) => `${count} s`,
    minutes: (count: number) => `${count} min`,
    hours: (count: number) => `${count} h`,
    days: (count: number) => `${count} d`,
    /** Two units, as in "2 h 5 min", or one. */
    span: (large: string, small: string | false) => (small ? `${large} ${small}` : large),
    today: "Today",
    yesterday: "Yesterday",
  },

  title: {
    parley: "Parley",
    page: (name: string) => `${name} · Parley`,
    toRead: (count: string, name: string) => `(${count}) ${name}`,
  },
};
