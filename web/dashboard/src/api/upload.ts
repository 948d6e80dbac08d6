import { address, ApiError, errorMessage, SIGNED_OUT } from "./client";
import type { Attachment } from "./types";
import { texts } from "./texts";

/**
 * Uploads a file, which the server keeps for a day until a message takes it, and reports the progress from 0 to 1,
 * which fetch cannot do.
 */
export function upload(file: File, signal: AbortSignal, onProgress: (share: number) => void): Promise<Attachment> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", address("/v1/public/attachments", { fileName: file.name }));
    request.setRequestHeader("Accept", "application/json");
    // The type that the browser assumes is not always a media type.
    request.setRequestHeader("Content-Type", /^[\w.+-]+\/[\w.+-]+$/.test(file.type) && !file.type.startsWith("multipart/") ? file.type : "application/octet-stream");
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onload = () => {
      if (request.status === 201) return resolve(JSON.parse(request.responseText) as Attachment);
      if (request.status === 401) window.dispatchEvent(new Event(SIGNED_OUT));
      reject(new ApiError(request.status, errorMessage(request.responseText), request.getResponseHeader("Parley-Error") ?? ""));
    };
    // A server that refuses a large file halfway may look the same.
    request.onerror = () => reject(new ApiError(0, texts.notUploaded));
    request.onabort = () => reject(signal.reason as Error);
    signal.addEventListener("abort", () => request.abort(), { once: true });
    if (signal.aborted) return reject(signal.reason as Error);
    request.send(file);
  });
}
