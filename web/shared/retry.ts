// When to try again what failed.

export interface Pauses {
  /** After the first failure (ms); it doubles with each further one. */
  first: number;
  most: number;
}

/** The pause after so many failures, between half and the whole of it: many pages must not come back at once. */
export function backoff({ first, most }: Pauses, failures: number, random = Math.random()): number {
  return Math.min(most, first * 2 ** failures) * (0.5 + random / 2);
}

/** Waits; less when the network or the tab comes back, or the signal ends it. */
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
