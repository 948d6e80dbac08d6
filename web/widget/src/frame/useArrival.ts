import { useEffect, useRef } from "preact/hooks";

/**
 * Focuses an element when its view opens in an open chat: a heading, so that screen readers start there, or the
 * composer. Not the composer on phones, where the keyboard would cover the text before anybody has read it.
 */
export function useArrival<E extends HTMLElement>(open: boolean, focusable = true) {
  const ref = useRef<E>(null);
  const first = useRef(true);
  useEffect(() => {
    // A chat that was restored open does not take the focus from the page.
    const restored = first.current && !document.hasFocus();
    first.current = false;
    if (open && focusable && !restored) ref.current?.focus({ preventScroll: true });
  }, [open, focusable]);
  return ref;
}

export const coarse = matchMedia("(pointer: coarse)").matches;
