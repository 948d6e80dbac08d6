// Texts of an inbox's office hours.

export const texts = {
  title: (inbox: string) => `Office hours of ${inbox}`,
  noTitle: "Office hours",
  back: "Widget",
  link: "Office hours",
  what: "While nobody is there, the chat tells visitors when somebody is back, in their own time zone.",
  notFound: "Inbox not found",
  onlyWebsites: "Only website inboxes have office hours.",
  shown: "Show in the chat when somebody is back",
  shownHint: "Without it, visitors see the reply time of the widget at any hour.",
  zone: "Time zone",
  week: "Week",
  weekHint: "For example 9–17, or 9:00–12:30, 13:30–18:00. Leave a day empty when nobody is there.",
  closed: "Closed",
  holidays: "Holidays",
  holidaysHint: "Dates on which nobody is there, one per line, such as 2026-12-25.",
  save: "Save",
  discard: "Discard",
  saved: "Office hours saved",
  wrongDay: "Write times such as 9:00–17:00, at most four, which do not overlap.",
  wrongDate: (line: string) => `“${line}” is not a date such as 2026-12-25.`,
};
