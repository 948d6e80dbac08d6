// What follows when a conversation is done with: the list knows where to go.
import { createContext, useContext, useEffect, type RefObject } from "react";

export type Done = "resolved" | "replied";

/** Goes where the member chose to go after this. */
export type GoOn = (done: Done) => void;

export const GoOnContext = createContext<RefObject<GoOn | null>>({ current: null });

/** Leads on from the open conversation, once it was answered or resolved. */
export function useGoOn(): GoOn {
  const goOn = useContext(GoOnContext);
  return (done) => goOn.current?.(done);
}

/** Says where to go on, for as long as the component is on the page. */
export function useLeads(goOn: GoOn) {
  const holder = useContext(GoOnContext);
  useEffect(() => {
    holder.current = goOn;
    return () => {
      if (holder.current === goOn) holder.current = null;
    };
  });
}
