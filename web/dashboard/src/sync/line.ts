// The connection to the server's stream. Browsers open few connections to one
// server (six with HTTP/1.1), so one tab of a member holds the stream and
// passes on what it receives. When that tab is closed, the next one takes over
// from its own position. Nothing is lost: each tab counts the events and reads
// those it missed.
import { SIGNED_OUT } from "../api/client";
import type { PairingNews } from "../api/numbers";
import type { BulkJob, DraftSignal, LogEvent, Presence, Reading } from "../api/types";
import { backoff, pause, type Pauses } from "../../../shared/retry";
import { readStream, StreamRefused, type Frame } from "../../../shared/sse";
import { parsePosition, type CheckedEvent } from "./state";

/**
 * `live`: events arrive. `waiting`: the connection is lost and being retried. `offline`: the browser reports no
 * network.
 */
export type LineState = "live" | "waiting" | "offline";

/** Signals that concern single parts of the page, which listen for them, and their data. */
export interface SignalNews {
  pairing: PairingNews;
  visit: { contactId: string };
  link: { conversationId: string; otherId: string };
  bulk: BulkJob;
  notice: object;
  notice_preferences: object;
  view: object;
}
export type Signal = keyof SignalNews;
const signals: readonly Signal[] = ["pairing", "visit", "link", "bulk", "notice", "notice_preferences", "view"];

export type Told =
  | { kind: "event"; epoch: string; event: CheckedEvent }
  | { kind: "presence"; presence: Presence }
  | { kind: "signal"; name: Signal; news: unknown }
  | { kind: "reading"; reading: Reading }
  | { kind: "draft"; draft: DraftSignal }
  | { kind: "reset" }
  | { kind: "line"; state: LineState };

export interface LineOptions {
  /** Distinguishes tabs of the same member and workspace from others. */
  name: string;
  /** The position to resume from, at the time of connecting. */
  position: () => string;
  onTold: (told: Told) => void;
}

const silence = 50_000;
export const pauses: Pauses = { first: 250, most: 15_000 };

/** Opens the connection and returns the function that closes it. */
export function openLine({ name, position, onTold }: LineOptions): () => void {
  const closed = new AbortController();
  const channel = new BroadcastChannel(name);
  let leading = false;
  let state: LineState = "waiting";
  const tell = (told: Told) => {
    if (told.kind === "line") state = told.state;
    onTold(told);
    channel.postMessage(told);
  };
  channel.onmessage = ({ data }: MessageEvent<Told | { kind: "hello" }>) => {
    if (data.kind !== "hello") return onTold(data);
    if (leading) channel.postMessage({ kind: "line", state } satisfies Told);
  };
  channel.postMessage({ kind: "hello" });
  const lead = async () => {
    leading = true;
    await hold({ signal: closed.signal, position, tell });
  };
  // Locks exist on secure pages only; without them each tab has its own connection.
  const led = "locks" in navigator ? navigator.locks.request(name, { signal: closed.signal }, lead) : lead();
  led.catch(() => undefined); // the lock was no longer needed
  return () => {
    closed.abort();
    channel.close();
  };
}

/**
 * Keeps the stream open until the signal aborts: retries with growing pauses, and at once when the network or the tab
 * comes back.
 */
async function hold({ signal, position, tell }: { signal: AbortSignal; position: () => string; tell: (told: Told) => void }) {
  let failures = 0;
  while (!signal.aborted) {
    // A stream that was open during a change of networks may be dead without
    // notice, so it is reopened when the network comes back.
    const changed = new AbortController();
    const online = () => changed.abort();
    let gone = false;
    const offline = () => {
      gone = true;
      tell({ kind: "line", state: "offline" });
    };
    window.addEventListener("online", online);
    window.addEventListener("offline", offline);
    try {
      await readStream({
        url: `/v1/dashboard/events?after=${encodeURIComponent(position())}`,
        signal: AbortSignal.any([signal, changed.signal]),
        silence,
        onOpen: () => {
          failures = 0;
          if (!gone) tell({ kind: "line", state: "live" }); // else the answer was on its way, and the stream is dead
        },
        onFrame: (frame) => heard(frame, tell),
      });
    } catch (error) {
      // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- it changed while the stream was read
      if (signal.aborted) return;
      if (error instanceof StreamRefused && error.status === 401) {
        window.dispatchEvent(new Event(SIGNED_OUT));
        return;
      }
      // The server refuses the position: start over.
      if (error instanceof StreamRefused && error.status === 400) tell({ kind: "reset" });
    } finally {
      window.removeEventListener("online", online);
      window.removeEventListener("offline", offline);
    }
    if (changed.signal.aborted) continue;
    tell({ kind: "line", state: navigator.onLine ? "waiting" : "offline" });
    await pause(backoff(pauses, failures++), signal);
  }
}

export function heard(frame: Frame, tell: (told: Told) => void) {
  if (frame.event === "reset") return tell({ kind: "reset" });
  if (frame.event === "presence") return tell({ kind: "presence", presence: JSON.parse(frame.data) as Presence });
  if (frame.event === "reading") return tell({ kind: "reading", reading: JSON.parse(frame.data) as Reading });
  if (frame.event === "draft") return tell({ kind: "draft", draft: JSON.parse(frame.data) as DraftSignal });
  const name = signals.find((one) => one === frame.event);
  if (name) return tell({ kind: "signal", name, news: JSON.parse(frame.data) as unknown });
  const at = parsePosition(frame.id);
  if (at) tell({ kind: "event", epoch: at.epoch, event: { ...(JSON.parse(frame.data) as LogEvent), check: at.check } });
}
