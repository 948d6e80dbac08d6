// What the chat says about articles.

export const texts = {
  search: "Search for help",
  clear: "Clear the search",
  popular: "Popular articles",
  found: (n: number) => (n === 1 ? "1 article found" : `${n} articles found`),
  nothing: "No article fits. Write to us, we are happy to help.",
  failed: "The search is not available right now.",
  start: "Back to the start",
  back: "Back",
  help: "Help",
  loading: "Loading …",
  gone: "This article is no longer available.",
  again: "Try again",
  helped: "Did this help?",
  yes: "Yes",
  no: "No",
  thanks: "Thank you for telling us.",
  sorry: "Sorry about that. Write to us and we will find an answer.",
  suggested: "These may answer your question",
  suggestions: (n: number) => (n === 1 ? "1 article may answer your question" : `${n} articles may answer your question`),
  hide: "Hide suggestions",
};
