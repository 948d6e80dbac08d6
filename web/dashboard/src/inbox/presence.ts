import { useCallback, useEffect, useRef } from "react";
import { useOthersHere, useStore } from "../sync";

const renewal = 10_000;

/** Reports whether the member is typing. The customer is told too, unless it is a private note. */
export type SayTyping = (typing: boolean, isPrivate: boolean) => void;

/**
 * Reports that the member is viewing the conversation while the page is visible. Returns the function that reports
 * typing.
 */
export function usePresence(conversationId: string): SayTyping {
  const { here } = useStore();
  const typing = useRef(false);
  const note = useRef(false);
  useEffect(() => {
    const now = () => ({ conversationId: document.visibilityState === "visible" ? conversationId : null, typing: typing.current, isPrivate: note.current });
    const say = () => here.now(now());
    here.soon(now());
    const timer = setInterval(() => document.visibilityState === "visible" && say(), renewal);
    document.addEventListener("visibilitychange", say);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", say);
      const away = { conversationId: null, typing: false, isPrivate: false };
      // The customer sees the typing indicator, so its end is reported at once.
      if (typing.current) here.now(away);
      else here.soon(away);
    };
  }, [here, conversationId]);
  // A member who has just arrived may not have been told that this one is here.
  const others = useOthersHere(conversationId);
  const met = useRef<ReadonlySet<string>>(new Set());
  useEffect(() => {
    const isNew = others.some(({ memberId }) => !met.current.has(memberId));
    met.current = new Set(others.map(({ memberId }) => memberId));
    if (isNew && document.visibilityState === "visible") here.soon({ conversationId, typing: typing.current, isPrivate: note.current });
  }, [here, conversationId, others]);
  return useCallback(
    (now: boolean, isPrivate: boolean) => {
      if (typing.current === now && (!now || note.current === isPrivate)) return;
      typing.current = now;
      note.current = isPrivate;
      here.now({ conversationId, typing: now, isPrivate });
    },
    [here, conversationId],
  );
}
