import type { texts as en } from "./bell.texts";

export const texts = {
  notices: (unread: number) => (unread === 0 ? "Mitteilungen" : `Mitteilungen: ${unread >= 1000 ? "1000 oder mehr" : unread} ungelesen`),
} satisfies typeof en;
