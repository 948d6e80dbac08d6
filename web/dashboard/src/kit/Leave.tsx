import { createContext, useCallback, useContext, useEffect, useInsertionEffect, useMemo, useState, type ReactNode } from "react";
import { Router } from "wouter";
import { useBrowserLocation, type navigate as Navigate } from "wouter/use-browser-location";
import { ConfirmDialog } from "./Dialog";
import { texts } from "./texts";

/** Registers that something on the page is not saved, and returns the function that withdraws it. */
type Note = () => () => void;
const Context = createContext<Note>(() => () => {});

/** While `changed`, leaving the page asks for confirmation first: for links, keys, going back, and closing the tab. */
export function useUnsaved(changed: boolean) {
  const note = useContext(Context);
  useEffect(() => (changed ? note() : undefined), [note, changed]);
}

/** The router of the pages below, which asks before unsaved changes are dropped. */
export function LeaveGuard({ children }: { children: ReactNode }) {
  const [unsaved] = useState(() => new Set<symbol>());
  const [going, setGoing] = useState<(() => void) | null>(null);
  const note = useCallback<Note>(() => {
    const key = Symbol();
    unsaved.add(key);
    return () => void unsaved.delete(key);
  }, [unsaved]);
  // The router takes a hook, whose identity must not change.
  const useGuarded = useMemo(() => guarded(unsaved, (go) => setGoing(() => go)), [unsaved]);
  useBack(unsaved, setGoing);
  return (
    <Context value={note}>
      <Router hook={useGuarded}>
        {children}
        <ConfirmDialog
          open={going !== null}
          onClose={() => setGoing(null)}
          title={texts.leave.discardUnsavedChanges}
          action={texts.leave.discard}
          onConfirm={() => {
            unsaved.clear();
            going?.();
          }}
        >
          {texts.leave.unsaved}
        </ConfirmDialog>
      </Router>
    </Context>
  );
}

function guarded(unsaved: ReadonlySet<symbol>, ask: (go: () => void) => void) {
  return function useGuardedLocation(): ReturnType<typeof useBrowserLocation> {
    const [path, navigate] = useBrowserLocation();
    const go = useCallback<typeof Navigate>((...to) => (unsaved.size === 0 ? navigate(...to) : ask(() => navigate(...to))), [navigate]);
    return [path, go];
  };
}

/** Closing the tab makes the browser ask; going back is reverted until the question is answered. */
function useBack(unsaved: ReadonlySet<symbol>, setGoing: (going: () => () => void) => void) {
  // Listeners of a window run in the order of their registration, and this one must run before the router's.
  useInsertionEffect(() => {
    let here = location.pathname + location.search;
    const moved = () => {
      here = location.pathname + location.search;
    };
    const closing = (event: BeforeUnloadEvent) => {
      if (unsaved.size > 0) event.preventDefault();
    };
    const back = (event: PopStateEvent) => {
      if (unsaved.size === 0) return moved();
      event.stopImmediatePropagation();
      const to = location.pathname + location.search;
      history.pushState(null, "", here);
      setGoing(() => () => {
        history.replaceState(null, "", to);
      });
    };
    window.addEventListener("beforeunload", closing);
    window.addEventListener("popstate", back);
    window.addEventListener("pushState", moved);
    window.addEventListener("replaceState", moved);
    return () => {
      window.removeEventListener("beforeunload", closing);
      window.removeEventListener("popstate", back);
      window.removeEventListener("pushState", moved);
      window.removeEventListener("replaceState", moved);
    };
  }, [unsaved, setGoing]);
}
