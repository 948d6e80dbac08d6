import { useEffect, useEffectEvent } from "react";
import { useLocation } from "wouter";
import { api } from "../api/client";
import type { Message } from "../api/types";

/** Leads to the conversation that has a message now: it may have been split from the one of the address. */
export function MovedMessage({ id, address }: { id: string; address: string }) {
  const [, navigate] = useLocation();
  const lead = useEffectEvent(({ conversationId }: Message) => {
    const [path = "", query] = address.split("?");
    const there = path.slice(0, path.lastIndexOf("/") + 1) + conversationId;
    if (there === path) return;
    const search = new URLSearchParams(query);
    search.set("message", id);
    navigate(`${there}?${search.toString()}`, { replace: true });
  });
  useEffect(() => {
    const abort = new AbortController();
    // A message that is gone leaves the reader where the address leads.
    api.get<Message>(`/v1/public/messages/${id}`, {}, abort.signal).then(lead, () => undefined);
    return () => abort.abort();
  }, [id]);
  return null;
}
