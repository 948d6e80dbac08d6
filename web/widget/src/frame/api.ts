// The client of /v1/widget. A session is a bearer token, not a cookie: the
// frame is embedded in pages of other sites, where browsers block cookies.
import type { Pauses } from "../../../shared/retry";
import { phrase } from "./language";

/** The pauses before retries. */
export const pauses: Pauses = { first: 500, most: 20_000 };

/** A refusal of the server, or no answer at all (status 0). */
export class ApiError extends Error {
  readonly status: number;
  /** Milliseconds after which to retry; 0 if the server named none. */
  readonly retryAfter: number;
  constructor(status: number, message: string, retryAfter = 0) {
    super(message);
    this.status = status;
    this.retryAfter = retryAfter;
  }
  /**
   * Whether the same request may succeed soon. A customer who has reached the limit of an hour or a day is told so
   * instead.
   */
  get passing(): boolean {
    return this.status === 0 || (this.status === 429 && this.retryAfter <= 60_000) || this.status >= 500 || this.status === 409;
  }
}

export interface Ask {
  method?: "GET" | "POST" | "PUT" | "DELETE";
  body?: unknown;
  /** Makes a POST safe to repeat. */
  key?: string;
}

export async function ask<T>(path: string, token: string, { method = "GET", body, key }: Ask = {}): Promise<T> {
  const headers: Record<string, string> = { Accept: "application/json" };
  if (token) headers["Authorization"] = `Bearer ${token}`;
  if (key) headers["Idempotency-Key"] = key;
  const init: RequestInit = { method, headers, credentials: "omit", cache: "no-store" };
  if (method === "POST" || method === "PUT") {
    headers["Content-Type"] = "application/json";
    init.body = JSON.stringify(body ?? {});
  }
  let response: Response;
  let text: string;
  try {
    response = await fetch(`/v1/widget/${path}`, init);
    text = await response.text();
  } catch {
    throw new ApiError(0, phrase("faults.unreachable"));
  }
  if (!response.ok) throw new ApiError(response.status, errorMessage(response.status, text), waitOf(response.headers.get("Retry-After")));
  return JSON.parse(text) as T;
}

/** Uploads a file and reports the progress from 0 to 1, which fetch cannot do. */
export function upload<T>(file: File, token: string, signal: AbortSignal, onProgress: (share: number) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", "/v1/widget/attachments");
    request.setRequestHeader("Authorization", `Bearer ${token}`);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onerror = () => reject(new ApiError(0, phrase("faults.unreachable")));
    request.onabort = () => reject(new ApiError(0, phrase("faults.takenBack")));
    request.onload = () => {
      if (request.status === 201) resolve(JSON.parse(request.responseText) as T);
      else reject(new ApiError(request.status, errorMessage(request.status, request.responseText), waitOf(request.getResponseHeader("Retry-After"))));
    };
    signal.addEventListener("abort", () => request.abort());
    const form = new FormData();
    form.append("file", file, file.name);
    request.send(form);
  });
}

function errorMessage(status: number, text: string): string {
  try {
    const { error } = JSON.parse(text) as { error?: unknown };
    if (typeof error === "string" && error !== "") return error;
  } catch {
    // Not an answer of our server, but a load balancer's page, for example.
  }
  return String(status);
}

/** What customers read about a failure: never the wording of the API. */
export function faultText(error: unknown): string {
  if (!(error instanceof ApiError)) return phrase("faults.unknown");
  if (error.status === 0) return error.message;
  if (error.status === 413) return phrase("faults.tooLarge");
  if (error.status === 429) return phrase("faults.tooMuch");
  if (error.status === 401 || error.status === 403) return phrase("faults.notOpen");
  if (error.status >= 500) return phrase("faults.server");
  return phrase("faults.refused");
}

function waitOf(header: string | null): number {
  const seconds = Number(header);
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : 0;
}
