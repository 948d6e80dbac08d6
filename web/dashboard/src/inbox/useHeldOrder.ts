import { useCallback, useEffect, useReducer, useRef, useState, type PointerEvent } from "react";
import { arrange, hold, type Held } from "./heldorder";

/** How long after the last action the list follows the live order again, once the pointer has left it, in ms. */
const rest = 8_000;

const nothing: ReadonlySet<string> = new Set();

interface HeldList extends Held {
  /** Shows the live order now. */
  release: () => void;
  /** The member is working in the list: it stays as it is for a while. */
  worked: () => void;
  /** The handlers for the element that contains the list. */
  watch: { onPointerEnter: (event: PointerEvent) => void; onPointerLeave: (event: PointerEvent) => void; onPointerDown: () => void };
}

/**
 * The order to display. It stays the same while the pointer is in the list or the member works in it, and the current
 * row keeps its place.
 */
export function useHeldOrder(key: string, live: readonly string[], current: string | undefined): HeldList {
  const [inside, setInside] = useState(false);
  const [working, setWorking] = useState(0);
  const [, again] = useReducer((n: number) => n + 1, 0);
  const released = useRef(false);
  const shown = useRef<{ key: string; ids: readonly string[] }>({ key, ids: live });
  if (shown.current.key !== key) shown.current = { key, ids: live };
  const holding = !released.current && (inside || working > 0) && shown.current.ids.length > 0;
  // Both return the same for their own result, so rendering twice is harmless.
  const held: Held = holding ? hold(live, shown.current.ids, current) : free(live, arrange(live, shown.current.ids, current));
  shown.current = { key, ids: held.ids };
  useEffect(() => {
    released.current = false;
  });
  useEffect(() => {
    if (working === 0) return;
    const timer = setTimeout(() => setWorking(0), rest);
    return () => clearTimeout(timer);
  }, [working]);
  const worked = useCallback(() => setWorking((n) => n + 1), []);
  const release = useCallback(() => {
    released.current = true;
    setWorking(0);
    again();
  }, []);
  return {
    ...held,
    release,
    worked,
    watch: {
      // A finger does not rest on the list: a touch counts as an action.
      onPointerEnter: ({ pointerType }) => pointerType === "mouse" && setInside(true),
      onPointerLeave: ({ pointerType }) => {
        if (pointerType !== "mouse") return;
        setInside(false);
        setWorking(0);
      },
      onPointerDown: worked,
    },
  };
}

function free(live: readonly string[], ids: readonly string[]): Held {
  if (ids === live || ids.length === live.length) return { ids, gone: nothing, news: 0 };
  const there = new Set(live);
  return { ids, gone: new Set(ids.filter((id) => !there.has(id))), news: 0 };
}
