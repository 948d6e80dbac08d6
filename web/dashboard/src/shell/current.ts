// The open conversation, for the palette.
import { useEffect } from "react";
import type { Conversation, ConversationChange } from "../api/types";
import { useLatest } from "../kit/useLatest";
import { createCell, useCell } from "../sync/cell";

export interface Current {
  conversation: Conversation;
  /** Changes it as its own buttons do. */
  change: (change: ConversationChange) => void;
}

const current = createCell<Current | null>(null);

/** Names the open conversation while the component is mounted. */
export function useIsCurrent(conversation: Conversation, change: Current["change"]) {
  const latest = useLatest(change);
  useEffect(() => {
    const here: Current = { conversation, change: (to) => latest.current(to) };
    current.set(here);
    return () => current.update((now) => (now === here ? null : now));
  }, [conversation, latest]);
}

export const useCurrent = () => useCell(current, (now) => now);
