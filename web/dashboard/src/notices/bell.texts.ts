// The text of the bell, which every page shows.

export const texts = {
  notices: (unread: number) => (unread === 0 ? "Notices" : `Notices: ${unread >= 1000 ? "1000 or more" : unread} unread`),
};
