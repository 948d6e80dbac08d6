// What the server accepts as files of messages, and the addresses where it serves them.
import { texts } from "./texts";

/** The most files of one message. */
export const mostFiles = 10;

/** The largest file that the server accepts, in bytes. A larger one is refused before any of it is sent. */
export const mostBytes = 25 * (1 << 20);

/** Why a file cannot be sent; null if it can. */
export function fileFault({ size }: Pick<File, "size">): "large" | "empty" | null {
  if (size > mostBytes) return "large";
  return size === 0 ? "empty" : null;
}

export function fileSize(bytes: number): string {
  if (bytes < 1000) return texts.size.bytes(bytes);
  return bytes < 1_000_000 ? texts.size.kilobytes(Math.round(bytes / 1000)) : texts.size.megabytes((bytes / 1_000_000).toFixed(1));
}

/**
 * The address of a file on the server that this page is from. A server that knows its public origin puts it in front of
 * the path, which is wrong for a reader who reached the server by another name. So only the path counts, and no other
 * host is ever asked.
 */
export function fileAddress(url: string): string | undefined {
  return /^(?:https?:\/\/[^/?#\\]+)?(\/v1\/files\/.*)$/.exec(url)?.[1];
}
