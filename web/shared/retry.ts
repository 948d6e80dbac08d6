// When to retry after a failure.

export interface Pauses {
  /** The pause after the first failure (ms); it doubles with each further one. */
  first: number;
  most: number;
}

/**
 * The pause after a number of failures: a random time between half and all of it, so that many pages do not return at
 * once.
 */
export function backoff({ first, most }: Pauses, failures: number, random = Math.random()): number {
  return Math.min(most, first * 2 ** failures) * (0.5 + random / 2);
}

/** Waits. It ends early if the network or the tab comes back, or if the signal aborts. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const shown = () => document.visibilityState === "visible" && done();
    const done = () => {
      clearTimeout(timer);
      window.removeEventListener("online", done);
      document.removeEventListener("visibilitychange", shown);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    window.addEventListener("online", done);
    document.addEventListener("visibilitychange", shown);
    signal?.addEventListener("abort", done);
    if (signal?.aborted) done();
  });
}
