/** How long a conversation is viewed until it counts as read, in ms. */
export const dwellTime = 1000;
/** The longest pause before a retry, in ms. */
const longestPause = 60_000;

export interface Dwell {
  /** Whether the member is viewing now. */
  look: (looking: boolean) => void;
  /** Forgets earlier failures: the next view waits only the first pause. */
  afresh: () => void;
}

/**
 * Calls `act` once the member has been viewing for long enough without a break. Each failure doubles the pause before
 * the retry.
 */
export function createDwell(act: () => Promise<unknown>, time = dwellTime): Dwell {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  const run = () => {
    // It counts as failed until the result is known, because an error message may cause the next view before that.
    failures++;
    act().then(
      () => (failures = 0),
      () => undefined,
    );
  };
  return {
    look: (looking) => {
      if (!looking) {
        clearTimeout(timer);
        timer = undefined;
      } else timer ??= setTimeout(run, Math.min(Math.max(time, longestPause), time * 2 ** failures));
    },
    afresh: () => (failures = 0),
  };
}
