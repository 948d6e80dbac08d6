import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Conversation } from "../api/types";
import { conversation, event, message, notice, time } from "../sync/world.fixture";
import type { Call } from "./decide";
import { createCalls, mostEvents, mostReads } from "./gather";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const moved = { unreadCount: 1, lastActivityAt: time(1), updatedAt: time(1), waitingSince: time(1), wokeAt: null, contactLastActivityAt: time(1) };
const wrote = (seq: number, id: string) => ({ ...event(seq, "message.created", message(`m${seq}`, id, seq), id), moved });

/** A tab that knows some conversations and reads the others. */
function tab({ known = [] as string[], taken = [] as string[], looksAt = "", follows = "" } = {}) {
  const here = new Map<string, Conversation>(known.map((id) => [id, conversation(id, 1)]));
  const made: Call[] = [];
  let reading = 0;
  let together = 0;
  const read = vi.fn(async (id: string) => {
    together = Math.max(together, ++reading);
    await Promise.resolve();
    reading--;
    here.set(id, conversation(id, 1));
  });
  const tell = createCalls({
    claim: (name) => Promise.resolve(!taken.includes(name)),
    follows: (id) => id === follows,
    wants: (kind) => Promise.resolve(kind !== "woke"),
    known: (id) => here.get(id),
    read,
    looksAt: (id) => id === looksAt,
    make: (call) => made.push(call),
  });
  return { tell, made, read, together: () => together };
}

test("one message is one alert", async () => {
  const { tell, made } = tab({ known: ["a"] });
  tell(wrote(1, "a"));
  await vi.runAllTimersAsync();
  expect(made).toEqual([{ conversationId: "a", title: "Ann", text: "m1" }]);
});

test("a night is one alert, and its conversations are read one after another, up to a limit", async () => {
  const { tell, made, read, together } = tab({ known: ["a"] });
  for (let seq = 1; seq <= 40; seq++) tell(wrote(seq, `c${seq}`));
  tell(wrote(41, "a"));
  await vi.runAllTimersAsync();
  expect(made).toEqual([{ conversationId: "a", title: "11 new", text: "In 11 conversations" }]);
  expect(read).toHaveBeenCalledTimes(mostReads);
  expect(together()).toBe(1);
});

test("of very many events the newest are examined, and the alert says that there were more", async () => {
  const { tell, made } = tab({ known: ["a", "b"] });
  for (let seq = 1; seq <= 400; seq++) tell(wrote(seq, seq % 2 ? "a" : "b"));
  await vi.runAllTimersAsync();
  expect(made).toEqual([{ conversationId: "b", title: `${mostEvents}+ new`, text: "In 2 conversations" }]);
});

test("several messages of one person are shown as the last one", async () => {
  const { tell, made } = tab({ known: ["a"] });
  for (const seq of [1, 2, 3]) tell(wrote(seq, "a"));
  await vi.runAllTimersAsync();
  expect(made).toEqual([{ conversationId: "a", title: "Ann", text: "m3" }]);
});

test("events that another tab alerts for, or that are on display, are left out", async () => {
  const { tell, made } = tab({ known: ["a", "b", "c"], taken: ["2"], looksAt: "c" });
  for (const [index, id] of ["a", "b", "c"].entries()) tell(wrote(index + 1, id));
  await vi.runAllTimersAsync();
  expect(made.map(({ conversationId }) => conversationId)).toEqual(["a"]);
});

test("events that never pause are alerted for after all", async () => {
  const { tell, made } = tab({ known: ["a"] });
  for (let seq = 1; seq <= 40; seq++) {
    tell(wrote(seq, "a"));
    await vi.advanceTimersByTimeAsync(200);
  }
  await vi.runAllTimersAsync();
  expect(made.length).toBeGreaterThanOrEqual(2);
  expect(made.length).toBeLessThanOrEqual(4);
});

test("notices alert together with events, once, and not for what is on display", async () => {
  const { tell, made } = tab({ known: ["a", "b"], taken: ["n3 2026-11-20T09:00:03.000Z"], looksAt: "d", follows: "b" });
  tell(wrote(1, "a"));
  tell(wrote(2, "b"));
  tell(notice("n1", "b", 2, { kind: "answered" }));
  tell(notice("n2", "d", 2));
  tell(notice("n3", "e", 3));
  tell(notice("n4", "e", 3, { kind: "woke" }));
  await vi.runAllTimersAsync();
  expect(made).toEqual([{ conversationId: "b", title: "2 new", text: "In 2 conversations" }]);
});
