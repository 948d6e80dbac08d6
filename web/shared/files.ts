// The files of messages: what the server takes, and where it gives them.
import { texts } from "./texts";

/** The most files of one message. */
export const mostFiles = 10;

/** The largest file that the server takes, in bytes; it is refused before any of it is sent. */
export const mostBytes = 25 * (1 << 20);

/** Why a file cannot be sent; null where it can. */
export function fileFault({ size }: Pick<File, "size">): "large" | "empty" | null {
  if (size > mostBytes) return "large";
  return size === 0 ? "empty" : null;
}

export function fileSize(bytes: number): string {
  if (bytes < 1000) return texts.size.bytes(bytes);
  return bytes < 1_000_000 ? texts.size.kilobytes(Math.round(bytes / 1000)) : texts.size.megabytes((bytes / 1_000_000).toFixed(1));
}

/**
 * The address of a file on the server that this page is from. A server that knows its public address names itself in
 * front, which leads elsewhere for who reached it otherwise; so only the path counts, and no host is ever asked.
 */
export function fileAddress(url: string): string | undefined {
  return /^(?:https?:\/\/[^/?#\\]+)?(\/v1\/files\/.*)$/.exec(url)?.[1];
}
