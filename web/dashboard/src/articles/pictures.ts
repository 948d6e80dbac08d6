import { api } from "../api/client";
import type { ArticlePicture } from "../api/knowledge";
import { texts } from "./texts";

const types = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/** The most bytes of a picture. */
const most = 5 << 20;

/** Why a file cannot be a picture of an article; "" if it can. */
export function pictureFault({ name, type, size }: Pick<File, "name" | "type" | "size">): string {
  if (!types.includes(type)) return texts.editor.notAPicture(name);
  return size > most ? texts.editor.tooLarge(name) : "";
}

export function uploadPicture(articleId: string, file: File, signal: AbortSignal): Promise<ArticlePicture> {
  return api.send<ArticlePicture>(`/v1/dashboard/articles/${articleId}/pictures`, file, signal);
}
