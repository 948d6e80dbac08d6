import { useEffect, useRef } from "preact/hooks";

/**
 * Takes the focus to an element when its view comes up in an open chat: to a
 * heading, so that readers of the screen begin there, or to where one writes. On
 * phones that would bring up the keyboard before anybody has read a word.
 */
export function useArrival<E extends HTMLElement>(open: boolean, focusable = true) {
  const ref = useRef<E>(null);
  const first = useRef(true);
  useEffect(() => {
    // What is open from the page before does not take the focus from the page.
    const restored = first.current && !document.hasFocus();
    first.current = false;
    if (open && focusable && !restored) ref.current?.focus({ preventScroll: true });
  }, [open, focusable]);
  return ref;
}

export const coarse = matchMedia("(pointer: coarse)").matches;
