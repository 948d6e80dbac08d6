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
  },
};
