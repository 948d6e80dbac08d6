/** How long a hidden tab lets a visible one go first, in ms. */
const courtesy = 400;
/** How long an alert stays claimed, so that no other tab repeats it, in ms. */
const kept = 5_000;

/**
 * Whether this tab makes the alert of that name. Of all tabs of a member one does, preferably a visible one. In a
 * browser without locks, every tab does.
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
