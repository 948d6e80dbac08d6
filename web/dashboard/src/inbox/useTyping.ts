import { useEffect, useRef } from "react";
import type { SayTyping } from "./presence";

/** Typing ends after this time without a key (ms). */
const typingEnds = 4000;

/** Reports typing, from the first key until a pause. */
export function useTyping(text: string, note: boolean, onTyping: SayTyping) {
  const first = useRef(true);
  useEffect(() => {
    if (first.current) {
      first.current = false;
      return;
    }
    onTyping(text.trim() !== "", note);
    const timer = setTimeout(() => onTyping(false, note), typingEnds);
    return () => clearTimeout(timer);
  }, [text, note, onTyping]);
}
