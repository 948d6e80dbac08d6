// Server-sent events over fetch. EventSource hides the status of a refusal and
// cannot be told when to reconnect, so this reads the stream itself.

export interface Frame {
  id: string;
  event: string;
  data: string;
}

/**
 * Reads frames from text that arrives in pieces (WHATWG HTML, 9.2.6). It scans each piece once, however many pieces a
 * line has.
 */
export function createParser(onFrame: (frame: Frame) => void): (chunk: string) => void {
  let held: string[] = []; // the line so far
  let afterReturn = false; // the last piece ended with "\r"; a "\n" that follows belongs to it
  let frame: { id: string; event: string; data: string[] } = { id: "", event: "", data: [] };
  const line = (text: string) => {
    if (text === "") {
      if (frame.data.length > 0) onFrame({ id: frame.id, event: frame.event || "message", data: frame.data.join("\n") });
      frame = { id: "", event: "", data: [] };
      return;
    }
    const colon = text.indexOf(":");
    if (colon === 0) return; // a comment that keeps the connection open
    const name = colon < 0 ? text : text.slice(0, colon);
    const value = colon < 0 ? "" : text.slice(colon + 1).replace(/^ /, "");
    if (name === "data") frame.data.push(value);
    else if (name === "id") frame.id = value;
    else if (name === "event") frame.event = value;
  };
  return (chunk) => {
    if (chunk === "") return;
    let start = afterReturn && chunk.startsWith("\n") ? 1 : 0;
    afterReturn = chunk.endsWith("\r");
    const breaks = /\r\n|\n|\r/g;
    breaks.lastIndex = start;
    for (let end = breaks.exec(chunk); end; end = breaks.exec(chunk)) {
      line([...held, chunk.slice(start, end.index)].join(""));
      held = [];
      start = breaks.lastIndex;
    }
    if (start < chunk.length) held.push(chunk.slice(start));
  };
}

export interface StreamOptions {
  url: string;
  /** Headers besides Accept, for example Authorization. */
  headers?: Record<string, string>;
  signal: AbortSignal;
  onOpen: () => void;
  onFrame: (frame: Frame) => void;
  /** The connection counts as dead after this long without a byte (ms); the server sends a comment every 15 s. */
  silence: number;
}

/** What the server answered instead of a stream. */
export class StreamRefused extends Error {
  readonly status: number;
  constructor(status: number) {
    super(`the stream was refused with ${status}`);
    this.status = status;
  }
}

/** Reads one stream until it ends or fails. The caller decides whether to open another. */
export async function readStream({ url, headers, signal, onOpen, onFrame, silence }: StreamOptions): Promise<void> {
  const own = new AbortController();
  const stop = () => own.abort();
  signal.addEventListener("abort", stop, { once: true });
  let watch = setTimeout(stop, silence);
  try {
    const response = await fetch(url, { headers: { Accept: "text/event-stream", ...headers }, credentials: "same-origin", cache: "no-store", signal: own.signal });
    if (!response.ok || !response.body) throw new StreamRefused(response.status);
    onOpen();
    const parse = createParser(onFrame);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      clearTimeout(watch);
      watch = setTimeout(stop, silence);
      parse(value);
    }
  } finally {
    clearTimeout(watch);
    signal.removeEventListener("abort", stop);
  }
}
