import { useCallback, useEffect, useEffectEvent, useRef, useState } from "react";
import { api, type Query } from "./client";
import type { Page } from "./types";

export interface QueryState<T> {
  /** The last answer; it stays during a reload. */
  data: T | undefined;
  error: unknown;
  /** The first answer has not arrived. */
  loading: boolean;
  /** Reads again, for example after a failure or a change. */
  reload: () => void;
  /** Replaces the answer at once, for a change whose result is known. */
  set: (data: T) => void;
}

/**
 * Reads one address and keeps the answer. `path` null reads nothing. Take what the store of `sync` has (members,
 * inboxes, products, labels, conversations …) from there instead, because it is live.
 */
export function useQuery<T>(path: string | null, query: Query = {}): QueryState<T> {
  const [state, setState] = useState<{ key: string; data?: T; error?: unknown }>({ key: "" });
  const [turn, setTurn] = useState(0);
  const key = path === null ? "" : `${path}?${JSON.stringify(query)}`;
  const read = useEffectEvent((signal: AbortSignal) => (path === null ? null : api.get<T>(path, query, signal)));
  useEffect(() => {
    const abort = new AbortController();
    read(abort.signal)?.then(
      (data) => setState({ key, data }),
      (error: unknown) => {
        if (!abort.signal.aborted) setState((old) => (old.key === key ? { ...old, error } : { key, error }));
      },
    );
    return () => abort.abort();
    // The key represents path and query.
  }, [key, turn]);
  const own = state.key === key;
  const reload = useCallback(() => {
    setState((old) => ({ key: old.key, ...(old.data !== undefined && { data: old.data }) }));
    setTurn((n) => n + 1);
  }, []);
  const set = useCallback((data: T) => setState({ key, data }), [key]);
  return {
    data: own ? state.data : undefined,
    error: own ? state.error : undefined,
    loading: path !== null && !(own && (state.data !== undefined || state.error !== undefined)),
    reload,
    set,
  };
}

export interface PagesState<T> {
  items: readonly T[];
  error: unknown;
  /** The first page is being read. */
  loading: boolean;
  more: boolean;
  /** Reads the next page; has no effect while one is being read. */
  loadMore: () => void;
  reload: () => void;
  /** Changes the loaded items, for example after an edit. */
  update: (change: (items: readonly T[]) => readonly T[]) => void;
}

interface Pages<T> {
  key: string;
  items: readonly T[];
  cursor: string;
  more: boolean;
  loaded: boolean;
  error?: unknown;
}

/** Reads a list page by page. Another path or query starts over. */
export function usePages<T>(path: string | null, query: Query = {}): PagesState<T> {
  const key = path === null ? "" : `${path}?${JSON.stringify(query)}`;
  const [pages, setPages] = useState<Pages<T>>({ key, items: [], cursor: "", more: false, loaded: false });
  const [turn, setTurn] = useState(0);
  const asking = useRef<AbortController | null>(null);
  const ask = useCallback(
    (cursor: string) => {
      if (path === null) return;
      const abort = new AbortController();
      asking.current = abort;
      api.get<Page<T>>(path, { ...query, cursor }, abort.signal).then(
        (page) => {
          asking.current = null;
          setPages((old) => ({ key, items: cursor === "" ? page.data : [...old.items, ...page.data], cursor: page.next_cursor, more: page.has_more, loaded: true }));
        },
        (error: unknown) => {
          if (abort.signal.aborted) return;
          asking.current = null;
          setPages((old) => ({ ...(old.key === key ? old : { items: [], cursor: "", more: false, loaded: false }), key, error }));
        },
      );
    },
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the key represents path and query
    [key],
  );
  useEffect(() => {
    ask("");
    return () => {
      asking.current?.abort();
      asking.current = null;
    };
  }, [ask, turn]);
  const own = pages.key === key;
  const { more, cursor } = pages;
  const loadMore = useCallback(() => {
    if (own && more && !asking.current) ask(cursor);
  }, [own, more, cursor, ask]);
  const reload = useCallback(() => {
    setPages(({ error: _, ...old }) => old);
    setTurn((n) => n + 1);
  }, []);
  const update = useCallback((change: (items: readonly T[]) => readonly T[]) => setPages((old) => ({ ...old, items: change(old.items) })), []);
  return {
    items: own ? pages.items : [],
    error: own ? pages.error : undefined,
    loading: path !== null && !(own && (pages.loaded || pages.error !== undefined)),
    more: own && more,
    loadMore,
    reload,
    update,
  };
}
