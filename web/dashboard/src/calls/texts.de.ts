import type { texts as en } from "./texts";

export const texts = {
  decide: {
    aNewMessage: "Eine neue Nachricht",
    new: (count: number, more: boolean) => `${count}${more ? "+" : ""} neu`,
    inConversations: (count: number) => `In ${count} Unterhaltungen`,
  },
} satisfies typeof en;
