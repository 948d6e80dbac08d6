/** The values that were stored last, by key. */
export interface Recent<T> {
  /** The value, unless it is too old. */
  get: (key: string) => T | undefined;
  set: (key: string, value: T) => void;
  clear: () => void;
}

/** Keeps at most `most` values for `freshFor` milliseconds each. */
export function createRecent<T>(most: number, freshFor: number, now: () => number = Date.now): Recent<T> {
  const values = new Map<string, { value: T; at: number }>();
  return {
    get: (key) => {
      const known = values.get(key);
      return known && now() - known.at < freshFor ? known.value : undefined;
    },
    set: (key, value) => {
      values.delete(key);
      values.set(key, { value, at: now() });
      const [oldest] = values.keys();
      if (values.size > most && oldest !== undefined) values.delete(oldest);
    },
    clear: () => values.clear(),
  };
}
