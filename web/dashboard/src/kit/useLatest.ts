import { useLayoutEffect, useRef, type RefObject } from "react";

/** The value of the drawing that is on the page, for whoever asks later: an event, a timer. */
export function useLatest<T>(value: T): Readonly<RefObject<T>> {
  const latest = useRef(value);
  useLayoutEffect(() => {
    latest.current = value;
  });
  return latest;
}
