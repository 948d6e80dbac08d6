// What the files of a message are called, and how they are shown.
import type { Attachment } from "../api/types";

/** The most files of one message. */
export const mostFiles = 10;

/** The largest file that the server takes, in bytes; it is refused before any of it is sent. */
export const mostBytes = 25 * (1 << 20);

/** Why a file cannot be sent; "" where it can. */
export function fileFault({ size }: Pick<File, "size">): string {
  if (size > mostBytes) return `Too large: ${fileSize(size)}. Files may have up to 25 MB.`;
  return size === 0 ? "The file is empty." : "";
}

/** How a file shows in its message: what the server lets browsers show in its place, all else by its name. */
export type Shown = "picture" | "sound" | "film" | "name";

const shown: Record<string, Shown> = {
  "image/png": "picture",
  "image/jpeg": "picture",
  "image/gif": "picture",
  "image/webp": "picture",
  "audio/mpeg": "sound",
  "audio/mp4": "sound",
  "audio/ogg": "sound",
  "audio/webm": "sound",
  "video/mp4": "film",
  "video/webm": "film",
};

export function shownAs({ contentType }: Pick<Attachment, "contentType">): Shown {
  return Object.hasOwn(shown, contentType) ? (shown[contentType] as Shown) : "name";
}

/**
 * The address of a file on the server that this page is from. A server that knows its public address names itself in
 * front, which leads elsewhere for who reached it otherwise; so only the path counts, and no host is ever asked.
 */
export function fileAddress(url: string): string | undefined {
  return /^(?:https?:\/\/[^/?#\\]+)?(\/v1\/files\/.*)$/.exec(url)?.[1];
}

/** Whether an address has ended at a time in milliseconds, or does so within a minute. */
export function ended(url: string, now: number): boolean {
  const until = Number(new URLSearchParams(url.slice(url.indexOf("?") + 1)).get("e"));
  return until * 1000 - 60_000 < now;
}

/** The size at which a picture shows, known before it is there so that nothing moves; undefined where the server does not know its own. */
export function pictureSize({ width, height }: Pick<Attachment, "width" | "height">): { width?: number; height?: number } {
  if (!width || !height) return {};
  const scale = Math.min(1, 320 / width, 256 / height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

export function fileSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** When a record was made, in milliseconds: its id begins with it (RFC 9562, section 5.7). */
export function madeAt(id: string): number {
  return Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16);
}
