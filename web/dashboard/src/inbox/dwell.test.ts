import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createDwell } from "./dwell";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("looking for long enough counts, passing by does not", () => {
  const act = vi.fn();
  const dwell = createDwell(act, 1000);
  dwell(true);
  vi.advanceTimersByTime(999);
  dwell(false);
  vi.advanceTimersByTime(5000);
  expect(act).not.toHaveBeenCalled();
  dwell(true);
  vi.advanceTimersByTime(600);
  dwell(true); // the focus came too; the time goes on
  vi.advanceTimersByTime(400);
  expect(act).toHaveBeenCalledOnce();
  vi.advanceTimersByTime(5000);
  expect(act).toHaveBeenCalledOnce();
});
