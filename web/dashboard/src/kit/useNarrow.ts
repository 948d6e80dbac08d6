import { useCallback, useSyncExternalStore } from "react";

/** Whether the window is at most so many px wide: what CSS cannot change, such as the rank of a heading, follows this. */
export function useNarrow(width: number): boolean {
  const query = `(max-width: ${width}px)`;
  const subscribe = useCallback(
    (listener: () => void) => {
      const media = window.matchMedia(query);
      media.addEventListener("change", listener);
      return () => media.removeEventListener("change", listener);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches);
}
