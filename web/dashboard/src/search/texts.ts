// Texts of the search. English is the first catalogue; another language is an
// object of the same type.

export const texts = {
  searchPage: {
    search: "Search",
    label: "Search messages, contacts and companies",
    placeholder: "Words of a message, a name, an e-mail address …",
    whatToSearch: "What to search",
    nothingAsked: "What are you looking for?",
    howItFinds: "All words must occur; the last one may be unfinished.",
    nothingFor: (q: string) => `Nothing found for “${q}”`,
    tryFewer: "Try fewer words, or search everything.",
    found: "Found",
    showMore: "Show more",
    everything: "Everything",
    messages: "Messages",
    contacts: "Contacts",
    companies: "Companies",
    refused: "This search cannot be made",
  },

  operators: {
    narrow: "Narrow the search",
    values: (operator: string) => `Values of ${operator}:`,
    rules: "A minus before one stands for the opposite, and a value with spaces needs quotes.",
    of: {
      from: "who wrote the message: me, customer, team, bot, or a name",
      label: "a label of the conversation",
      is: "the state of the conversation, such as open, unread or snoozed; note finds private notes",
      in: "an inbox, a product or a channel",
      assignee: "who has the conversation: me, none, or a name",
      team: "the conversation’s team, or none",
      before: "written before a day, a month or a year, such as 2026-11-23",
      after: "written on or after it",
      has: "file finds messages with attachments",
    },
  },
};
