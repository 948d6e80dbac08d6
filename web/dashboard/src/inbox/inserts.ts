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

/** The words, set apart from the text before and after, and how many blanks after them they replace. */
export function setApart(words: string, before: string, after: string): [string, number] {
  const gap = `${before}${words}`.includes("\n") ? "\n\n" : " ";
  const begun = before === "" || /\s$/.test(before) ? words : gap + words;
  const rest = after.trimStart();
  return rest === "" || after.startsWith("\n") ? [begun, 0] : [begun + gap, after.length - rest.length];
}
