/** So long one looks at a conversation until it counts as read, in ms. */
export const dwellTime = 1000;

/** Acts once somebody has looked for long enough without a break. */
export function createDwell(act: () => void, time = dwellTime): (looking: boolean) => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (looking) => {
    if (!looking) {
      clearTimeout(timer);
      timer = undefined;
    } else timer ??= setTimeout(act, time);
  };
}
