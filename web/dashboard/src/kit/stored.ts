// What the browser keeps for a page. It may forbid that, and its room may be full.

type Keeper = "localStorage" | "sessionStorage";

/** What was kept; null where there is nothing, or nothing may be read. */
export function readStored(key: string, keeper: Keeper = "localStorage"): string | null {
  try {
    return window[keeper].getItem(key);
  } catch {
    return null;
  }
}

/** Keeps a text, or nothing for null. Where that is not possible, it lasts as long as the page does. */
export function writeStored(key: string, text: string | null, keeper: Keeper = "localStorage") {
  try {
    if (text === null) window[keeper].removeItem(key);
    else window[keeper].setItem(key, text);
  } catch {
    // Forbidden or full: nobody is to be stopped by that.
  }
}
