import { lazy, Suspense, useEffect, useState, type ComponentType } from "react";

// A part of the dashboard that the first load leaves out. It is fetched once the list is there and the browser is idle,
// or as soon as it is rendered. A part that has arrived renders at once, without a fallback.

type Load<P> = () => Promise<ComponentType<P>>;

const waiting: (() => Promise<unknown>)[] = [];
let fetchingAhead = false;

/** A component in a script of its own. `Waiting` stands in its place until the script has arrived. */
export function chunk<P extends object>(load: Load<P>, Waiting: ComponentType<P> = Nothing): ComponentType<P> {
  let arrived: ComponentType<P> | null = null;
  const get = () => load().then((part) => (arrived = part));
  waiting.push(get);
  return function Chunk(props: P) {
    // It stays the same while it is mounted, because another component would lose the state.
    const [Part] = useState<ComponentType<P>>(() => arrived ?? lazy(() => get().then((part) => ({ default: part }))));
    return (
      <Suspense fallback={<Waiting {...props} />}>
        <Part {...props} />
      </Suspense>
    );
  };
}

/**
 * A script that is no component, fetched ahead as well. The function gives null if the script cannot be fetched, such as
 * without a network; its next call tries again.
 */
export function script<M>(load: () => Promise<M>): () => Promise<M | null> {
  let arrived: Promise<M> | null = null;
  const get = () =>
    (arrived ??= load().catch((error: unknown) => {
      arrived = null;
      throw error;
    }));
  waiting.push(get);
  return () => get().catch(() => null);
}

/**
 * A dialog in a script of its own. It is not mounted before it opens. Keys pressed while it loads reach nothing else, and
 * what they write goes into its field.
 */
export function dialogChunk<P extends object>(load: Load<P>): ComponentType<P> {
  const Part: ComponentType<P> = chunk(load, Opening);
  return function DialogChunk(props: P) {
    const [opened, setOpened] = useState(false);
    if (!opened && !("open" in props && props.open === false)) setOpened(true);
    return opened ? <Part {...props} /> : null;
  };
}

const Nothing = () => null;

function Opening() {
  useEffect(() => {
    let typed = "";
    const hold = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      event.stopPropagation();
      if (event.key === "Backspace") typed = typed.slice(0, -1);
      else if (event.key.length === 1) typed += event.key;
    };
    document.addEventListener("keydown", hold, true);
    return () => {
      document.removeEventListener("keydown", hold, true);
      if (typed !== "") replay(typed, mostFrames);
    };
  }, []);
  return null;
}

/** How many frames a dialog has to focus its field. */
const mostFrames = 10;

/** Writes into the field that a dialog focuses. */
function replay(typed: string, frames: number) {
  requestAnimationFrame(() => {
    const field = document.activeElement;
    if (field instanceof HTMLInputElement && field.closest("[role=dialog]")) document.execCommand("insertText", false, typed);
    else if (frames > 0) replay(typed, frames - 1);
  });
}

/** Fetches all parts that the first load left out, one after another, when the browser is idle. */
export function fetchChunks() {
  const next = () => {
    const get = waiting.shift();
    if (!get) return;
    fetchingAhead = true;
    // What fails now is fetched when it is needed.
    void get()
      .catch(() => {})
      .finally(() => {
        fetchingAhead = false;
        whenIdle(next);
      });
  };
  whenIdle(next);
}

/** Whether the script that is being fetched is not needed yet. */
export const isFetchingAhead = () => fetchingAhead;

/** Safari has no such callback. */
function whenIdle(run: () => void) {
  if ("requestIdleCallback" in window) window.requestIdleCallback(run, { timeout: 2000 });
  else setTimeout(run, 50);
}
