import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { SIGNED_OUT } from "../api/client";
import { openLine, type Told } from "./line";

/** A stream that the server keeps open. */
interface Stream {
  url: string;
  push: (text: string) => void;
  end: () => void;
}

let streams: Stream[];
/** The statuses of the next refusals. */
let refusals: number[];
let page: EventTarget;
let closers: (() => void)[];

/** Locks like the browser's: one holder for each name; the others wait in order. */
function createLocks() {
  const tails = new Map<string, Promise<unknown>>();
  return {
    request: (name: string, { signal }: { signal: AbortSignal }, work: () => Promise<void>) => {
      const run = (tails.get(name) ?? Promise.resolve()).then(() => (signal.aborted ? undefined : work()));
      tails.set(name, run);
      return run;
    },
  };
}

function answer(url: string, init: RequestInit): Promise<Response> {
  const status = refusals.shift();
  if (status !== undefined) return Promise.resolve(new Response("", { status }));
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      streams.push({ url, push: (text) => controller.enqueue(new TextEncoder().encode(text)), end: () => controller.close() });
      init.signal?.addEventListener("abort", () => controller.error(new DOMException("aborted", "AbortError")));
    },
  });
  return Promise.resolve(new Response(body));
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  vi.spyOn(Math, "random").mockReturnValue(1);
  [streams, refusals, closers] = [[], [], []];
  page = new EventTarget();
  vi.stubGlobal("window", page);
  vi.stubGlobal("document", Object.assign(new EventTarget(), { visibilityState: "visible" }));
  vi.stubGlobal("navigator", { onLine: true, locks: createLocks() });
  vi.stubGlobal("fetch", answer);
});
afterEach(() => {
  for (const close of closers) close();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** A tab that holds the connection or waits for it. */
function open(position = () => "e.4.x") {
  const told: Told[] = [];
  const close = openLine({ name: `line ${expect.getState().currentTestName}`, position, onTold: (one) => told.push(one) });
  closers.push(close);
  return { told, close, states: () => told.flatMap((one) => (one.kind === "line" ? [one.state] : [])) };
}

const until = (check: () => boolean) => vi.waitFor(() => expect(check()).toBe(true));
const frame = (seq: number) => `id: e.${seq}.x\nevent: label.deleted\ndata: {"seq":${seq}}\n\n`;

test("the stream resumes from the position and delivers its events", async () => {
  const { told, states } = open();
  await until(() => states().includes("live"));
  expect(streams[0]?.url).toBe("/v1/dashboard/events?after=e.4.x");
  streams[0]?.push(frame(5));
  await until(() => told.some((one) => one.kind === "event" && one.event.seq === 5));
});

test("after a stream has ended, the next starts after a pause, at the position known by then", async () => {
  let seq = 4;
  const { states } = open(() => `e.${seq}.x`);
  await until(() => streams.length === 1);
  seq = 9;
  streams[0]?.end();
  await until(() => states().includes("waiting"));
  expect(streams).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(250);
  await until(() => streams.length === 2);
  expect(streams[1]?.url).toContain("after=e.9.x");
});

test("a stream that is silent for too long counts as dead", async () => {
  const { states } = open();
  await until(() => states().includes("live"));
  await vi.advanceTimersByTimeAsync(50_000);
  await until(() => states().includes("waiting"));
});

test("the stream is reopened at once when the network comes back", async () => {
  open();
  await until(() => streams.length === 1);
  page.dispatchEvent(new Event("online"));
  await until(() => streams.length === 2);
});

test("a position that the server refuses starts over", async () => {
  refusals = [400];
  const { told } = open();
  await until(() => told.some(({ kind }) => kind === "reset"));
  await vi.advanceTimersByTimeAsync(250);
  await until(() => streams.length === 1);
});

test("the end of the session closes the connection", async () => {
  refusals = [401];
  const left = vi.fn();
  page.addEventListener(SIGNED_OUT, left);
  open();
  await until(() => left.mock.calls.length === 1);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(streams).toHaveLength(0);
});

test("tabs share one stream; when its tab is closed, the next takes over from its own position", async () => {
  const first = open();
  await until(() => first.states().includes("live"));
  const second = open(() => "e.7.x");
  await until(() => second.states().includes("live"));
  streams[0]?.push(frame(5));
  await until(() => second.told.some(({ kind }) => kind === "event"));
  expect(streams).toHaveLength(1);
  first.close();
  await until(() => streams.length === 2);
  expect(streams[1]?.url).toContain("after=e.7.x");
});

test("a network that is lost while the stream opens is not taken for live", async () => {
  let answered = () => {};
  const opening = new Promise<void>((resolve) => (answered = resolve));
  vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
    if (streams.length === 0) await opening;
    return answer(url, init);
  });
  const { states } = open();
  await vi.advanceTimersByTimeAsync(10);
  page.dispatchEvent(new Event("offline"));
  answered();
  await until(() => streams.length === 1);
  await vi.advanceTimersByTimeAsync(10);
  expect(states()).toEqual(["offline"]);
  page.dispatchEvent(new Event("online"));
  await until(() => streams.length === 2);
  await until(() => states().at(-1) === "live");
});
