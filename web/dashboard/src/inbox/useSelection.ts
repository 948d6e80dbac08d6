import { useCallback, useMemo, useState } from "react";
import type { BulkOf } from "./bulk";
import { viewQuery, type View } from "./views";

/** The most conversations that a request can name. */
const most = 200;

interface Chosen {
  /** The query of the view. */
  query: string;
  ids: ReadonlySet<string>;
  /** All conversations of the view but `ids`, also those that are not loaded. */
  whole: boolean;
}
const noIds: ReadonlySet<string> = new Set();

export interface Selection extends Omit<Chosen, "query"> {
  count: number;
  has: (id: string) => boolean;
  toggle: (id: string) => void;
  /** Adds conversations. */
  add: (ids: readonly string[]) => void;
  /** Selects everything in the view; null if that is already so, or if the view has no filter. */
  addView: (() => void) | null;
  clear: () => void;
  /** What a request names; null if nothing is selected. */
  of: BulkOf | null;
}

/** The selected conversations of a view. Another view begins with none. */
export function useSelection(view: View): Selection {
  const query = viewQuery(view).slice(1);
  const [last, setLast] = useState<Chosen>({ query, ids: noIds, whole: false });
  const change = useCallback(
    (next: (now: Omit<Chosen, "query">) => Omit<Chosen, "query">) => setLast((now) => ({ query, ...next(now.query === query ? now : { ids: noIds, whole: false }) })),
    [query],
  );
  const toggle = useCallback(
    (id: string) =>
      change(({ ids, whole }) => {
        const next = new Set(ids);
        if (!next.delete(id) && next.size < most) next.add(id);
        return { ids: next, whole };
      }),
    [change],
  );
  return useMemo(() => {
    const { ids, whole } = last.query === query ? last : { ids: noIds, whole: false };
    return {
      ids,
      whole,
      count: ids.size,
      has: (id) => ids.has(id) !== whole,
      toggle,
      add: (more) => change((now) => ({ ids: now.whole ? new Set([...now.ids].filter((id) => !more.includes(id))) : new Set([...now.ids, ...more].slice(0, most)), whole: now.whole })),
      addView: whole || query === "" ? null : () => change(() => ({ ids: noIds, whole: true })),
      clear: () => change(() => ({ ids: noIds, whole: false })),
      of: whole ? { filter: query, except: [...ids] } : ids.size > 0 ? { ids: [...ids] } : null,
    };
  }, [last, query, change, toggle]);
}
