import { afterEach, expect, test, vi } from "vitest";
import { wireOf } from "./browser";
import { written } from "./desk.fixture";
import { itemOf, verdictOf } from "./item";

afterEach(() => vi.unstubAllGlobals());

test("any request that hangs is aborted", async () => {
  const timers: AbortController[] = [];
  vi.spyOn(AbortSignal, "timeout").mockImplementation(() => {
    const timer = new AbortController();
    timers.push(timer);
    return timer.signal;
  });
  vi.stubGlobal("fetch", (_: string, { signal }: RequestInit) => new Promise((_, fail) => signal?.addEventListener("abort", () => fail(signal.reason as Error))));
  const wire = wireOf("usr_me");
  const item = itemOf(written("answer"), "k", 1, []);
  for (const [name, ask] of Object.entries({ post: () => wire.post(item), look: () => wire.look("c"), open: () => wire.setStatus("c", "open"), resolve: () => wire.setStatus("c", "resolved") })) {
    const asked = ask().then(() => "answered", verdictOf);
    expect(timers, name).toHaveLength(1);
    timers.pop()?.abort(new DOMException("late", "TimeoutError"));
    expect(await asked, name).toBe("late");
  }
});
