// Texts of alerts. English is the first catalogue; another language is an
// object of the same type.

export const texts = {
  decide: {
    aNewMessage: "A new message",
    new: (count: number, more: boolean) => `${count}${more ? "+" : ""} new`,
    inConversations: (count: number) => `In ${count} conversations`,
  },
};
