// The connection to the stream of the customer's conversations. It resumes
// where it was interrupted. Browsers open few connections to one server, so a
// hidden tab closes its connection as soon as another tab becomes visible.
import { backoff, pause } from "../../../shared/retry";
import { readStream, StreamRefused, type Frame } from "../../../shared/sse";
import { pauses } from "./api";

export type LineState = "idle" | "live" | "waiting" | "offline";

export interface LineOptions {
  name: string;
  token: string;
  onFrame: (frame: Frame) => void;
  onState: (state: LineState) => void;
  /**
   * The connection is open, and the state before it must be read: it is the first connection, or the log does not reach
   * back far enough.
   */
  onFresh: () => void;
  /** The session has ended. */
  onRefused: () => void;
}

const silence = 50_000;

/** Opens the connection and returns a function that closes it. */
export function openLine(options: LineOptions): () => void {
  const closed = new AbortController();
  void hold(options, closed.signal);
  return () => closed.abort();
}

async function hold({ name, token, onFrame, onState, onFresh, onRefused }: LineOptions, closed: AbortSignal) {
  let failures = 0;
  let position = "";
  const channel = new BroadcastChannel(name);
  closed.addEventListener("abort", () => channel.close());
  while (!closed.aborted) {
    await visible(closed);
    // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- it changes while this waits
    if (closed.aborted) return;
    channel.postMessage("here");
    // Ends the stream, but not the connection loop: another tab became visible,
    // or the network changed and the stream may be dead without notice.
    const changed = new AbortController();
    const online = () => changed.abort();
    const offline = () => onState("offline");
    channel.onmessage = () => document.visibilityState === "hidden" && changed.abort();
    window.addEventListener("online", online);
    window.addEventListener("offline", offline);
    try {
      await readStream({
        url: `/v1/widget/events${position ? `?after=${encodeURIComponent(position)}` : ""}`,
        headers: { Authorization: `Bearer ${token}` },
        signal: AbortSignal.any([closed, changed.signal]),
        silence,
        onOpen: () => {
          failures = 0;
          onState("live");
          if (position === "") onFresh();
        },
        onFrame: (frame) => {
          if (frame.id !== "") position = frame.id;
          if (frame.event !== "reset") return onFrame(frame);
          position = (JSON.parse(frame.data) as { position?: string }).position ?? "";
          onFresh();
        },
      });
    } catch (error) {
      // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- it changes while this waits
      if (closed.aborted) return;
      if (error instanceof StreamRefused && error.status === 401) return onRefused();
      if (error instanceof StreamRefused && error.status === 400) position = ""; // not a position of this log
    } finally {
      window.removeEventListener("online", online);
      window.removeEventListener("offline", offline);
    }
    // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- it changes while this waits
    if (changed.signal.aborted || closed.aborted) continue;
    onState(navigator.onLine ? "waiting" : "offline");
    await pause(backoff(pauses, failures++), closed);
  }
}

/** Waits until the page is visible. */
function visible(signal: AbortSignal): Promise<void> {
  if (document.visibilityState === "visible") return Promise.resolve();
  return new Promise((resolve) => {
    const shown = () => {
      document.removeEventListener("visibilitychange", shown);
      signal.removeEventListener("abort", shown);
      resolve();
    };
    document.addEventListener("visibilitychange", shown);
    signal.addEventListener("abort", shown);
  });
}
