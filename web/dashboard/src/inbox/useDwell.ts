import { useEffect, useRef } from "react";
import { createDwell } from "./dwell";

/** Acts when the page was in front, with the focus, for a while. Passing by is not looking. */
export function useDwell(wanted: boolean, act: () => void) {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    if (!wanted) return;
    const dwell = createDwell(() => latest.current());
    const look = () => dwell(document.visibilityState === "visible" && document.hasFocus());
    const away = () => dwell(false);
    look();
    document.addEventListener("visibilitychange", look);
    window.addEventListener("focus", look);
    window.addEventListener("blur", away);
    return () => {
      away();
      document.removeEventListener("visibilitychange", look);
      window.removeEventListener("focus", look);
      window.removeEventListener("blur", away);
    };
  }, [wanted]);
}
