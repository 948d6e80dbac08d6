// What signing out says about unsent messages, and does with them.
import { texts } from "./texts";

/** How long signing out waits for unsent messages, in milliseconds. */
export const flushTime = 5000;

/** The number of unsent messages, as a sentence. */
export function unsentText(count: number): string {
  return count === 1 ? texts.leaving.one : texts.leaving.more(count);
}
