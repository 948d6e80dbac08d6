// The storage of the browser, which may be forbidden or full.

type Keeper = "localStorage" | "sessionStorage";

/** The stored text; null if there is none, or if reading is forbidden. */
export function readStored(key: string, keeper: Keeper = "localStorage"): string | null {
  try {
    return window[keeper].getItem(key);
  } catch {
    return null;
  }
}

/** Stores a text, or deletes it for null. If that is not possible, it lasts as long as the page. */
export function writeStored(key: string, text: string | null, keeper: Keeper = "localStorage") {
  try {
    if (text === null) window[keeper].removeItem(key);
    else window[keeper].setItem(key, text);
  } catch {
    // Forbidden or full: the page works without it.
  }
}
