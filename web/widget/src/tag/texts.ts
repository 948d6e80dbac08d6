// Texts of the button in the shop's page. English is the first catalogue;
// another language is an object of the same type.

export const texts = {
  chat: "Chat",
  close: (title: string) => `Close ${title}`,
  open: (title: string, unread: number) => `Open ${title}${unread > 0 ? `, ${unread} unread` : ""}`,
};
