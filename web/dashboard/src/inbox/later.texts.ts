// Texts of messages that are sent later.

export const texts = {
  sendLater: "Send later",
  title: "Send at",
  ifQuiet: "Hold it if the customer writes first",
  scheduled: (time: string) => `Will be sent ${time}`,
  list: "Scheduled messages",
  waits: (author: string, time: string) => `${author} sends this ${time}`,
  noteWaits: (author: string, time: string) => `${author} adds this note ${time}`,
  held: {
    "": "Held",
    customer_wrote: "Held: the customer has written",
    author_left: "Held: its author has left",
    unreachable: "Held: the customer cannot be reached this way",
    file_gone: "Held: a file is gone",
    restored: "Held: the server was restored from a backup",
  },
  files: (count: number) => (count === 1 ? "1 file" : `${count} files`),
  edit: "Edit",
  time: "Other time",
  sendNow: "Send now",
  cancel: "Cancel",
  cancelled: "Will not be sent",
  undo: "Undo",
};
