// What signing out says and does about messages that still wait.

/** For how long signing out waits for what is still to be sent, in milliseconds. */
export const flushTime = 5000;

/** How much is not sent, as a sentence. */
export function unsentText(count: number): string {
  return count === 1 ? "One message of yours is not sent yet." : `${count} messages of yours are not sent yet.`;
}
