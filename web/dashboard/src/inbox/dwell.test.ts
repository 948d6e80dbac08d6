import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createDwell } from "./dwell";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("viewing for long enough counts, passing by does not", () => {
  const act = vi.fn(() => Promise.resolve());
  const { look } = createDwell(act, 1000);
  look(true);
  vi.advanceTimersByTime(999);
  look(false);
  vi.advanceTimersByTime(5000);
  expect(act).not.toHaveBeenCalled();
  look(true);
  vi.advanceTimersByTime(600);
  look(true); // the focus came too; the time continues
  vi.advanceTimersByTime(400);
  expect(act).toHaveBeenCalledOnce();
  vi.advanceTimersByTime(5000);
  expect(act).toHaveBeenCalledOnce();
});

test("a failure is retried after ever longer pauses, and at once when the member comes back", async () => {
  let fails = true;
  const act = vi.fn(() => (fails ? Promise.reject(new Error("away")) : Promise.resolve()));
  const { look, afresh } = createDwell(act, 1000);
  // The error message hides the conversation and shows it again, at each attempt.
  const again = () => {
    look(false);
    look(true);
  };
  const minutes = async (count: number) => {
    for (let second = 0; second < count * 60; second++) {
      const before = act.mock.calls.length;
      await vi.advanceTimersByTimeAsync(1000);
      if (act.mock.calls.length > before) again();
    }
  };
  look(true);
  await minutes(10);
  expect(act.mock.calls.length).toBeLessThan(16);
  act.mockClear();
  look(false);
  afresh();
  look(true);
  fails = false;
  await vi.advanceTimersByTimeAsync(1000);
  expect(act).toHaveBeenCalledOnce();
  again();
  await vi.advanceTimersByTimeAsync(1000);
  expect(act).toHaveBeenCalledTimes(2);
});
