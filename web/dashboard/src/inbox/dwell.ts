/** So long one looks at a conversation until it counts as read, in ms. */
export const dwellTime = 1000;
/** The longest pause before what failed is tried again, in ms. */
const longestPause = 60_000;

export interface Dwell {
  /** Whether somebody looks now. */
  look: (looking: boolean) => void;
  /** Forgets what failed: the next look waits no longer than the first. */
  afresh: () => void;
}

/** Acts once somebody has looked for long enough without a break. What failed is tried again after twice as long each time. */
export function createDwell(act: () => Promise<unknown>, time = dwellTime): Dwell {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  const run = () => {
    // Until it is known, it counts as failed: what shows the failure may ask for the next look before this is told.
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
