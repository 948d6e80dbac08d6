import { useSyncExternalStore } from "react";

/** A value with listeners that are called when it changes. */
export interface Cell<T> {
  get: () => T;
  set: (value: T) => void;
  update: (change: (value: T) => T) => void;
  subscribe: (listener: () => void) => () => void;
}

export function createCell<T>(first: T): Cell<T> {
  let value = first;
  const listeners = new Set<() => void>();
  const set = (next: T) => {
    if (Object.is(next, value)) return;
    value = next;
    for (const listener of [...listeners]) listener();
  };
  return {
    get: () => value,
    set,
    update: (change) => set(change(value)),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/**
 * Returns what the selector takes from the cell; the component renders again only when that changes. The selector must
 * return the same object for the same value: return a stored object, and derive from it with useMemo.
 */
export function useCell<T, S>(cell: Cell<T>, select: (value: T) => S): S {
  return useSyncExternalStore(cell.subscribe, () => select(cell.get()));
}
