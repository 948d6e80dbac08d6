import { useEffect, useState } from "react";
import { useLatest } from "../kit/useLatest";
import { createDwell } from "./dwell";

/**
 * Calls `act` after the page was in front, with the focus, for a while. Passing by is not viewing. Failures are retried
 * after ever longer pauses, and soon when the member comes back to the page or the connection is live again.
 */
export function useDwell(wanted: boolean, live: boolean, act: () => Promise<unknown>) {
  const latest = useLatest(act);
  const [dwell] = useState(() => createDwell(() => latest.current()));
  useEffect(() => {
    if (live) dwell.afresh();
  }, [dwell, live]);
  useEffect(() => {
    if (!wanted) return;
    const look = () => dwell.look(document.visibilityState === "visible" && document.hasFocus());
    const away = () => dwell.look(false);
    const back = () => {
      away();
      dwell.afresh();
      look();
    };
    look();
    document.addEventListener("visibilitychange", look);
    window.addEventListener("focus", back);
    window.addEventListener("blur", away);
    return () => {
      away();
      document.removeEventListener("visibilitychange", look);
      window.removeEventListener("focus", back);
      window.removeEventListener("blur", away);
    };
  }, [dwell, wanted, live]);
}
