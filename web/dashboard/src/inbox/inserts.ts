// Parts of the page that put a text into the composer of the open conversation.
import { createContext, useContext, useEffect, type RefObject } from "react";

/** Puts a text at the caret of the composer. */
export type Insert = (text: string) => void;

export const InsertContext = createContext<RefObject<Insert | null>>({ current: null });

export function useInsert(): Insert {
  const holder = useContext(InsertContext);
  return (text) => holder.current?.(text);
}

/** Provides the function while the component is mounted. */
export function useTakesInserts(insert: Insert) {
  const holder = useContext(InsertContext);
  useEffect(() => {
    holder.current = insert;
    return () => {
      if (holder.current === insert) holder.current = null;
    };
  });
}
