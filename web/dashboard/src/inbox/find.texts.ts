// Texts of the search in a conversation.

export const texts = {
  title: "Search in this conversation",
  label: "Search in the conversation",
  older: "Older hit",
  newer: "Newer hit",
  close: "Close the search",
  place: (at: number, of: number, more: boolean) => `${at} of ${of}${more ? "+" : ""}`,
  none: "No hits",
};
