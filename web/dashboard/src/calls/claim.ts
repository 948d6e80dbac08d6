/** A tab that nobody looks at waits so long for one that somebody does, in ms. */
const courtesy = 400;
/** So long a call stays somebody's, so that no tab makes it again, in ms. */
const kept = 5_000;

/**
 * Whether this tab makes the call of that name: one of all tabs of a member
 * does, and one that somebody looks at comes first. Where the browser knows no
 * locks, every tab does.
 */
export async function claim(name: string): Promise<boolean> {
  if (!("locks" in navigator)) return true;
  if (!document.hasFocus()) await new Promise((resolve) => setTimeout(resolve, courtesy));
  return new Promise((answer) => {
    navigator.locks
      .request(name, { ifAvailable: true }, (lock) => {
        answer(lock !== null);
        return lock && new Promise((resolve) => setTimeout(resolve, kept));
      })
      .catch(() => answer(false));
  });
}
