import { useCallback, useEffect, useRef } from "react";
import { api } from "../api/client";
import { useOthersHere } from "../sync";

const renewal = 10_000;

/** Says that one types, or not any more. The customer is told too, unless it is a private note. */
export type SayTyping = (typing: boolean, isPrivate: boolean) => void;

/** Tells the others that one looks at the conversation while the page is visible. The answer tells them that one types. */
export function usePresence(conversationId: string): SayTyping {
  const typing = useRef(false);
  const note = useRef(false);
  useEffect(() => {
    const say = () => tell(document.visibilityState === "visible" ? conversationId : null, typing.current, note.current);
    say();
    const timer = setInterval(() => document.visibilityState === "visible" && say(), renewal);
    document.addEventListener("visibilitychange", say);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", say);
      tell(null, false, false);
    };
  }, [conversationId]);
  // Who has just come may not have been told that this one was here already.
  const others = useOthersHere(conversationId);
  const met = useRef<ReadonlySet<string>>(new Set());
  useEffect(() => {
    const isNew = others.some(({ memberId }) => !met.current.has(memberId));
    met.current = new Set(others.map(({ memberId }) => memberId));
    if (isNew && document.visibilityState === "visible") tell(conversationId, typing.current, note.current);
  }, [conversationId, others]);
  return useCallback(
    (now: boolean, isPrivate: boolean) => {
      if (typing.current === now && (!now || note.current === isPrivate)) return;
      typing.current = now;
      note.current = isPrivate;
      tell(conversationId, now, isPrivate);
    },
    [conversationId],
  );
}

function tell(conversationId: string | null, typing: boolean, isPrivate: boolean) {
  // Presence is a courtesy; nothing depends on it.
  api.post("/v1/dashboard/presence", { conversationId, typing, isPrivate }).catch(() => undefined);
}
