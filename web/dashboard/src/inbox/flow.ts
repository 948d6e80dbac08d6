// Where to go after a conversation is finished: the list knows.
import { createContext, useContext, useEffect, type RefObject } from "react";

export type Done = "resolved" | "replied" | "deleted";

/** Opens what the member chose to see next. */
export type GoOn = (done: Done) => void;

export const GoOnContext = createContext<RefObject<GoOn | null>>({ current: null });

/** Leaves the open conversation after it was answered, resolved or deleted. */
export function useGoOn(): GoOn {
  const goOn = useContext(GoOnContext);
  return (done) => goOn.current?.(done);
}

/** Provides the function that chooses what comes next, while the component is mounted. */
export function useLeads(goOn: GoOn) {
  const holder = useContext(GoOnContext);
  useEffect(() => {
    holder.current = goOn;
    return () => {
      if (holder.current === goOn) holder.current = null;
    };
  });
}
