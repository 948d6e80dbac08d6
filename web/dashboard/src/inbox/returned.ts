// Sent messages that return to the composer for editing.
import { useEffect } from "react";
import { giveBack, type Returned } from "./drafts";

type Give = (item: Returned) => void;

/** The composers on the page, by their conversations. */
const open = new Map<string, Give>();

/** Takes what returns to the conversation while the component is mounted. */
export function useTakesReturned(conversationId: string, give: Give) {
  useEffect(() => {
    open.set(conversationId, give);
    return () => {
      if (open.get(conversationId) === give) open.delete(conversationId);
    };
  });
}

/**
 * Puts a message back before the text in the composer, or before the stored draft if no composer is open. `newest` is
 * the newest message of the conversation. Returns whether it was kept: a full storage keeps none.
 */
export function giveReturned(memberId: string, item: Returned, newest: string): boolean {
  const give = open.get(item.conversationId);
  give?.(item);
  return give !== undefined || giveBack(memberId, item, newest);
}
