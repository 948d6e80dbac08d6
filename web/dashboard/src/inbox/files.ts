// How the files of a message are shown.
import type { Attachment } from "../api/types";

/** How a file is shown in its message: in place if the server serves its type for display, otherwise by its name. */
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

/** Whether an address has expired at a time in milliseconds, or will within a minute. */
export function ended(url: string, now: number): boolean {
  const until = Number(new URLSearchParams(url.slice(url.indexOf("?") + 1)).get("e"));
  return until * 1000 - 60_000 < now;
}

/**
 * The displayed size of a picture, reserved before it is loaded so that nothing moves; undefined if the server does not
 * know its size.
 */
export function pictureSize({ width, height }: Pick<Attachment, "width" | "height">): { width?: number; height?: number } {
  if (!width || !height) return {};
  const scale = Math.min(1, 320 / width, 256 / height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** When a record was created, in milliseconds: its id starts with the time (RFC 9562, section 5.7). */
export function madeAt(id: string): number {
  return Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16);
}
