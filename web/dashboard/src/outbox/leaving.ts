// What signing out says and does about messages that still wait.
import { texts } from "./texts";

/** For how long signing out waits for what is still to be sent, in milliseconds. */
export const flushTime = 5000;

/** How much is not sent, as a sentence. */
export function unsentText(count: number): string {
  return count === 1 ? texts.leaving.one : texts.leaving.more(count);
}
