import { expect, test } from "vitest";
import { backoff } from "../../../shared/retry";
import { createParser, type Frame } from "../../../shared/sse";
import { heard, pauses, type Told } from "./line";

function parsed(...chunks: string[]): Frame[] {
  const frames: Frame[] = [];
  const parse = createParser((frame) => frames.push(frame));
  for (const chunk of chunks) parse(chunk);
  return frames;
}

test("frames, comments and several lines of data", () => {
  expect(parsed(": hello\n\nevent: message.created\nid: e.17\ndata: {\ndata: }\n\ndata: x\n\n")).toEqual([
    { id: "e.17", event: "message.created", data: "{\n}" },
    { id: "", event: "message", data: "x" },
  ]);
});

test("a frame may arrive in any pieces", () => {
  const text = 'event: presence\r\ndata: {"a":1}\r\n\r\nid: e.2\r\ndata: y\r\n\r\n';
  const whole = parsed(text);
  expect(whole).toHaveLength(2);
  for (let at = 1; at < text.length; at++) expect(parsed(text.slice(0, at), text.slice(at))).toEqual(whole);
});

test("an incomplete frame is not delivered", () => {
  expect(parsed("data: x\n")).toEqual([]);
});

test("pauses grow, stay below 15 s and differ", () => {
  expect([0, 1, 2].map((n) => backoff(pauses, n, 1))).toEqual([250, 500, 1000]);
  expect(backoff(pauses, 60, 1)).toBe(15_000);
  expect(backoff(pauses, 3, 0)).toBe(1000);
});

test("frames become updates", () => {
  const told: Told[] = [];
  const hear = (event: string, id: string, data: unknown) => heard({ event, id, data: JSON.stringify(data) }, (one) => told.push(one));
  hear("pairing", "", { numberId: "n", kind: "qr_code", until: null });
  hear("presence", "", { memberId: "m", conversationId: null, typing: false });
  hear("reset", "", {});
  hear("number.updated", "e.4.k3v9q2m", { seq: 4 });
  hear("number.updated", "", { seq: 5 });
  expect(told.map(({ kind }) => kind)).toEqual(["signal", "presence", "reset", "event"]);
  expect(told[0]).toEqual({ kind: "signal", name: "pairing", news: { numberId: "n", kind: "qr_code", until: null } });
  expect(told[3]).toMatchObject({ epoch: "e", event: { seq: 4, check: "k3v9q2m" } });
});
