import { useLayoutEffect, useRef, type RefObject } from "react";

/** The value of the rendering on the page, for events and timers that read it later. */
export function useLatest<T>(value: T): Readonly<RefObject<T>> {
  const latest = useRef(value);
  useLayoutEffect(() => {
    latest.current = value;
  });
  return latest;
}
