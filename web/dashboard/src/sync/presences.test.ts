import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Presences } from "./presences";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const member = (conversationId: string | null, memberId = "usr_bo") => ({ memberId, conversationId, typing: false });

test("other members are present until they leave or are silent for long; the member is not among them", () => {
  const presences = new Presences();
  const there = () => [...presences.members.get().keys()];
  presences.saw(member("c", "usr_me"), "usr_me");
  presences.saw(member("c"), "usr_me");
  presences.saw(member("c", "usr_cy"), "usr_me");
  expect(there()).toEqual(["usr_bo", "usr_cy"]);
  presences.saw(member(null, "usr_cy"), "usr_me");
  expect(there()).toEqual(["usr_bo"]);
  presences.sweep(Date.now() + 25_000);
  expect(there()).toEqual(["usr_bo"]);
  presences.sweep(Date.now() + 25_001);
  expect(there()).toEqual([]);
});

test("a customer types until the signal ends, or expires", () => {
  const presences = new Presences();
  const types = () => presences.typing.get().has("c");
  const signal = (typing: boolean) => presences.saw({ contactId: "ann", conversationId: "c", typing }, "usr_me");
  signal(true);
  expect(types()).toBe(true);
  signal(false);
  expect(types()).toBe(false);
  signal(true);
  presences.sweep(Date.now() + 10_001);
  expect(types()).toBe(false);
});

test("a signal without a change renders nothing", () => {
  const presences = new Presences();
  presences.saw(member("c"), "usr_me");
  const before = presences.members.get();
  presences.sweep(Date.now());
  expect(presences.members.get()).toBe(before);
});
