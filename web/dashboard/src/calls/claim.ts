import { readStored, writeStored } from "../kit/stored";

/** How long a hidden tab lets a visible one go first, in ms. */
const courtesy = 400;
/** How many alerts a browser remembers, so that no other tab repeats them, however late it hears of them. */
const remembered = 200;

/**
 * Whether this tab makes the alert of that name. Of all tabs of a member one does, preferably a visible one. `scope`
 * tells members and workspaces apart.
 */
export async function claim(scope: string, name: string): Promise<boolean> {
  if (!document.hasFocus()) await new Promise((resolve) => setTimeout(resolve, courtesy));
  const key = `parley.called.${scope}`;
  const take = () => {
    const called = calledIn(readStored(key));
    if (called.includes(name)) return false;
    writeStored(key, JSON.stringify([...called, name].slice(-remembered)));
    return true;
  };
  if (!("locks" in navigator)) return take();
  return navigator.locks.request(key, take).catch(() => false);
}

function calledIn(stored: string | null): string[] {
  try {
    const names: unknown = JSON.parse(stored ?? "[]");
    return Array.isArray(names) ? names.filter((name) => typeof name === "string") : [];
  } catch {
    return [];
  }
}
