import { useCallback, useEffect, useRef } from "react";
import { useOthersHere } from "../sync";
import { api } from "../api/client";

const renewal = 10_000;

/** Tells the others that one looks at the conversation while the page is visible. The answer tells them that one types. */
export function usePresence(conversationId: string): (typing: boolean) => void {
  const typing = useRef(false);
  useEffect(() => {
    const say = () => tell(document.visibilityState === "visible" ? conversationId : null, typing.current);
    say();
    const timer = setInterval(() => document.visibilityState === "visible" && say(), renewal);
    document.addEventListener("visibilitychange", say);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", say);
      tell(null, false);
    };
  }, [conversationId]);
  // Who has just come may not have been told that this one was here already.
  const others = useOthersHere(conversationId);
  const met = useRef<ReadonlySet<string>>(new Set());
  useEffect(() => {
    const isNew = others.some(({ memberId }) => !met.current.has(memberId));
    met.current = new Set(others.map(({ memberId }) => memberId));
    if (isNew && document.visibilityState === "visible") tell(conversationId, typing.current);
  }, [conversationId, others]);
  return useCallback(
    (now: boolean) => {
      if (typing.current === now) return;
      typing.current = now;
      tell(conversationId, now);
    },
    [conversationId],
  );
}

function tell(conversationId: string | null, typing: boolean) {
  // Presence is a courtesy; nothing depends on it.
  api.post("/v1/dashboard/presence", { conversationId, typing }).catch(() => undefined);
}
