import { useCallback, useLayoutEffect, useState, type KeyboardEvent, type RefObject } from "react";

const moves: Record<string, (at: number, last: number) => number> = {
  ArrowDown: (at, last) => Math.min(last, at + 1),
  ArrowUp: (at) => Math.max(0, at - 1),
  Home: () => 0,
  End: (_, last) => last,
};

/**
 * Makes a list one tab stop, with arrow keys moving from row to row. `show` scrolls a row into view, and renders it if
 * necessary.
 */
export function useOneStop(list: RefObject<HTMLElement | null>, count: number, current: number, show: (index: number) => void) {
  const [own, setOwn] = useState(-1);
  const [wanted, setWanted] = useState(-1);
  const stop = Math.max(0, Math.min(count - 1, own >= 0 ? own : current));
  // Rows are rendered by other components, and while scrolling, so each rendering sets the tab stop.
  // eslint-disable-next-line react-hooks/exhaustive-deps -- setting the state ends with the rendering that had a row to focus
  useLayoutEffect(() => {
    for (const row of list.current?.querySelectorAll<HTMLElement>("[data-index]") ?? []) {
      const [first, ...rest] = row.querySelectorAll<HTMLElement>("a[href], button");
      const isStop = Number(row.dataset.index) === stop;
      if (first) first.tabIndex = isStop ? 0 : -1;
      for (const other of rest) other.tabIndex = isStop ? 0 : -1;
      if (first && Number(row.dataset.index) === wanted) {
        first.focus({ preventScroll: true });
        setWanted(-1);
      }
    }
  });
  const onKeyDown = useCallback(
    (event: KeyboardEvent) => {
      const move = moves[event.key];
      const at = indexOf(event.target);
      if (!move || at < 0 || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
      event.preventDefault();
      const next = move(at, count - 1);
      setOwn(next);
      setWanted(next);
      show(next);
    },
    [count, show],
  );
  const onFocus = useCallback((event: { target: EventTarget }) => setOwn(indexOf(event.target)), []);
  return { stop, onKeyDown, onFocus };
}

function indexOf(target: EventTarget): number {
  const row = target instanceof Element && target.closest<HTMLElement>("[data-index]");
  return row ? Number(row.dataset.index) : -1;
}
