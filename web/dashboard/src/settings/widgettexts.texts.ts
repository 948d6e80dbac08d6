// Texts of the page where a company changes what the chat says.

export const texts = {
  title: (inbox: string) => `Texts of ${inbox}`,
  noTitle: "Texts",
  back: "Widget",
  link: "Texts",
  what: "What the chat itself says, in each of its languages. Title, greeting and reply time are in the settings of the widget.",
  notFound: "Inbox not found",
  onlyWebsites: "Only website inboxes have texts.",
  language: "Language",
  changed: (language: string, count: number) => `${language} (${count === 1 ? "1 changed" : `${count} changed`})`,
  first: "Save or discard your changes to choose another language.",
  search: "Search texts",
  texts: "The texts",
  hint: "Leave a field empty to keep the chat's own text. Places such as {name} must stay.",
  nothing: "No text has these words.",
  places: (text: string) => `Write the same places in braces as in “${text}”.`,
  save: "Save",
  discard: "Discard",
  saved: "Texts saved",
};
