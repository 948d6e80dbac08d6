// The client of the server: same origin, JSON, the session's cookie. It knows
// no resources; their types are in types.ts.
import { createParser, type Frame } from "../../../shared/sse";
import { sentenceOf } from "./sentences";
import { texts } from "./texts";

/** A list stands for a parameter that is repeated. */
export type Query = Record<string, string | number | boolean | null | undefined | readonly string[]>;

/** An answer with the position of the log at which it was read ("" if the server named none). */
export interface Read<T> {
  data: T;
  position: string;
}

/** The window event for the end of the session. The whole page must know, and any request may find out. */
export const SIGNED_OUT = "parley:signed-out";
/** The window event for another member being signed in than the page shows. */
export const REPLACED = "parley:replaced";

/** The codes for answers that are not from our server, but from a load balancer, for example. */
const codes: Readonly<Record<number, string>> = { 400: "invalid", 401: "unauthenticated", 403: "forbidden", 404: "not_found", 409: "conflict", 413: "too_large", 429: "limited" };

/**
 * A refusal of the server, or no answer at all (status 0). `header` is its Parley-Error: the code, the invalid fields
 * and the ids of other records.
 */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  /** Whether our server named the code: the answer is not that of a load balancer, for example. */
  readonly named: boolean;
  /** The rules of the invalid fields, from the message. */
  readonly fields: Readonly<Record<string, string>>;
  readonly ids: readonly string[];
  /** Seconds after which to retry, if the server named them. */
  readonly retryAfter: number | null;

  constructor(status: number, message: string, header = "", retryAfter: number | null = null) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    const [code = "", ...parameters] = header.split("; ");
    this.named = code !== "";
    this.code = code || (codes[status] ?? (status >= 500 ? "internal" : ""));
    this.fields = rules(message, parameter(parameters, "field"));
    this.ids = parameter(parameters, "id");
    this.retryAfter = retryAfter;
  }

  /** Whether the same request may succeed later without a change. */
  get passing(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

/** The values of a parameter of Parley-Error. Several are quoted. */
function parameter(parameters: readonly string[], name: string): string[] {
  const found = parameters.find((one) => one.startsWith(`${name}=`))?.slice(name.length + 1) ?? "";
  return found === "" ? [] : found.replaceAll('"', "").split(",");
}

/** Splits `name: must …; email: must …` into the rules of the fields. A rule may contain a semicolon. */
function rules(message: string, names: readonly string[]): Record<string, string> {
  const found = Object.fromEntries(names.map((name) => [name, ""]));
  let about = "";
  for (const part of message.split("; ")) {
    const name = names.find((one) => part.startsWith(`${one}: `)) ?? "";
    if (name) found[(about = name)] = part.slice(name.length + 2);
    else if (about) found[about] = `${found[about] ?? ""}; ${part}`;
  }
  return found;
}

/** The text to show for anything that was thrown. */
export function errorText(error: unknown): string {
  if (error instanceof ApiError) return sentenceOf(error);
  return error instanceof Error ? error.message : String(error);
}

/** Joins a path and its query; absent, null and empty values are left out. */
export function address(path: string, query: Query = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (typeof value === "object" && value !== null) for (const one of value) search.append(name, one);
    else if (value !== undefined && value !== null && value !== "") search.set(name, String(value));
  }
  const text = search.toString();
  return text === "" ? path : `${path}?${text}`;
}

interface Options {
  query?: Query;
  body?: unknown;
  signal?: AbortSignal;
  /** Makes a POST safe to repeat. */
  idempotencyKey?: string;
  /** The request continues when its page is closed. */
  keepalive?: boolean;
  /** A 401 is a valid answer here (sign-in), not the end of the session. */
  open?: boolean;
  /** The member has been asked whether they are still there. */
  confirmed?: boolean;
}

async function send<T>(method: string, path: string, options: Options = {}): Promise<Read<T>> {
  const headers: Record<string, string> = { Accept: "application/json" };
  const init: RequestInit = { method, headers, credentials: "same-origin" };
  if (options.signal) init.signal = options.signal;
  if (options.keepalive) init.keepalive = true;
  if (options.idempotencyKey) headers["Idempotency-Key"] = options.idempotencyKey;
  if (options.body instanceof Blob) {
    headers["Content-Type"] = options.body.type || "application/octet-stream";
    init.body = options.body;
  } else if (method === "POST" || method === "PATCH" || method === "PUT") {
    headers["Content-Type"] = "application/json";
    init.body = JSON.stringify(options.body ?? {});
  }
  let response: Response;
  try {
    response = await fetch(address(path, options.query), init);
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw new ApiError(0, texts.unreachable);
  }
  const text = await response.text();
  if (!response.ok) {
    const error = refusal(response, text, options.open);
    if (error.code !== "unconfirmed" || options.confirmed) throw error;
    const question = await import("../confirm/confirm").catch(() => {
      throw error;
    });
    await question.confirm();
    return send(method, path, { ...options, confirmed: true });
  }
  return { data: JSON.parse(text) as T, position: response.headers.get("Parley-Position") ?? "" };
}

/** The error for an answer without success. */
function refusal(response: Response, text: string, open = false): ApiError {
  if (response.status === 401 && !open) window.dispatchEvent(new Event(SIGNED_OUT));
  return new ApiError(response.status, errorMessage(text), response.headers.get("Parley-Error") ?? "", retryAfter(response));
}

/** Posts, and passes on the server-sent events of the answer as they arrive. */
async function events(path: string, body: unknown, signal: AbortSignal, onFrame: (frame: Frame) => void): Promise<void> {
  const headers = { Accept: "text/event-stream", "Content-Type": "application/json" };
  try {
    const response = await fetch(path, { method: "POST", headers, credentials: "same-origin", body: JSON.stringify(body), signal });
    if (!response.ok || !response.body) throw refusal(response, await response.text());
    const parse = createParser(onFrame);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) parse(piece.value);
  } catch (error) {
    if (signal.aborted || error instanceof ApiError) throw error;
    throw new ApiError(0, texts.unreachable);
  }
}

/** The message of a failure; "" if it is not from our server. */
export function errorMessage(text: string): string {
  try {
    const body = JSON.parse(text) as { error?: unknown };
    if (typeof body.error === "string" && body.error !== "") return body.error;
  } catch {
    // Not an answer of our server, but a load balancer's page, for example.
  }
  return "";
}

function retryAfter(response: Response): number | null {
  const seconds = Number(response.headers.get("Retry-After"));
  return Number.isFinite(seconds) && seconds > 0 ? seconds : null;
}

const data = <T>(read: Promise<Read<T>>): Promise<T> => read.then((r) => r.data);

export const api = {
  get: <T>(path: string, query?: Query, signal?: AbortSignal): Promise<T> => data(send<T>("GET", path, { ...(query && { query }), ...(signal && { signal }) })),
  /** Like get, with the position of the log at which the answer was read. */
  read: <T>(path: string, query?: Query, signal?: AbortSignal): Promise<Read<T>> => send<T>("GET", path, { ...(query && { query }), ...(signal && { signal }) }),
  post: <T>(path: string, body?: unknown, options?: Pick<Options, "idempotencyKey" | "keepalive" | "open" | "signal">): Promise<T> => data(send<T>("POST", path, { body, ...options })),
  patch: <T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> => data(send<T>("PATCH", path, { body, ...(signal && { signal }) })),
  put: <T>(path: string, body: unknown, options?: Pick<Options, "keepalive" | "open">): Promise<T> => data(send<T>("PUT", path, { body, ...options })),
  /** Posts a file as it is. */
  send: <T>(path: string, file: Blob, signal: AbortSignal): Promise<T> => data(send<T>("POST", path, { body: file, signal })),
  events,
  delete: <T>(path: string): Promise<T> => data(send<T>("DELETE", path)),
};
