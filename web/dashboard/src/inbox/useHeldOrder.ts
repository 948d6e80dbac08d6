import { useCallback, useEffect, useReducer, useRef, useState, type PointerEvent } from "react";
import { arrange, hold, type Held } from "./heldorder";

/** So long after the last step the list follows again, once the pointer is away, in ms. */
const rest = 8_000;

const nothing: ReadonlySet<string> = new Set();

interface HeldList extends Held {
  /** Shows the live order now. */
  release: () => void;
  /** Somebody works in the list: it stays as it is for a while. */
  worked: () => void;
  /** For the element that the list is in. */
  watch: { onPointerEnter: (event: PointerEvent) => void; onPointerLeave: (event: PointerEvent) => void; onPointerDown: () => void };
}

/** The order to show of a live one: it stays while the pointer is in the list or somebody works in it, and the current row keeps its place. */
export function useHeldOrder(key: string, live: readonly string[], current: string | undefined): HeldList {
  const [inside, setInside] = useState(false);
  const [working, setWorking] = useState(0);
  const [, again] = useReducer((n: number) => n + 1, 0);
  const released = useRef(false);
  const shown = useRef<{ key: string; ids: readonly string[] }>({ key, ids: live });
  if (shown.current.key !== key) shown.current = { key, ids: live };
  const holding = !released.current && (inside || working > 0) && shown.current.ids.length > 0;
  // Both give the same for what they gave before, so drawing twice does no harm.
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
      // A finger is no pointer that rests: it counts as work.
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
