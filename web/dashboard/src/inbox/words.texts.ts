// The texts around the words and pictures of a message.

export const texts = {
  showAll: (chars: number) => `Show all ${chars.toLocaleString("en")} characters`,
  pictures: "Pictures",
  previous: "Previous picture",
  next: "Next picture",
  close: "Close",
  place: (at: number, all: number) => `${at} of ${all}`,
  openInTab: "Open in a new tab",
};
