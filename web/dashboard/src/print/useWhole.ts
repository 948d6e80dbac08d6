import { useEffect, useState } from "react";
import { api } from "../api/client";
import type { Conversation, Message, Page } from "../api/types";

export interface Whole {
  conversation: Conversation | null;
  /** Oldest first. */
  messages: readonly Message[];
  loading: boolean;
  error: unknown;
  reload: () => void;
}

const none = { conversation: null, messages: [], loading: true, error: null };

/** Reads a conversation with all of its messages, page by page. */
export function useWhole(id: string): Whole {
  const [whole, setWhole] = useState<Omit<Whole, "reload">>(none);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const left = new AbortController();
    const path = `/v1/public/conversations/${encodeURIComponent(id)}`;
    const read = async () => {
      setWhole(none);
      const conversation = await api.get<Conversation>(path, { messages_limit: 1 }, left.signal);
      let page: Page<Message> | undefined;
      do {
        page = await api.get<Page<Message>>(`${path}/messages`, { order: "asc", limit: 100, cursor: page?.next_cursor ?? "" }, left.signal);
        const { data, has_more } = page;
        setWhole((before) => ({ conversation, messages: [...before.messages, ...data], loading: has_more, error: null }));
      } while (page.has_more);
    };
    read().catch((error: unknown) => !left.signal.aborted && setWhole((before) => ({ ...before, loading: false, error })));
    return () => left.abort();
  }, [id, turn]);
  return { ...whole, reload: () => setTurn((before) => before + 1) };
}
