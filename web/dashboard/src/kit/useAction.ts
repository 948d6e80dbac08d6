import { useRef, useState } from "react";
import { useToast } from "./Toast";

/** What a press of a button does at once: it says what was done, or why not. */
export function useAction() {
  const toast = useToast();
  const running = useRef(false);
  const [busy, setBusy] = useState(false);

  /** Runs the work unless some is running; answers whether it was done. `said` is told when it is. */
  async function run(work: () => Promise<unknown>, said: string): Promise<boolean> {
    if (running.current) return false;
    running.current = true;
    setBusy(true);
    try {
      await work();
      toast.done(said);
      return true;
    } catch (error) {
      toast.failed(error);
      return false;
    } finally {
      running.current = false;
      setBusy(false);
    }
  }
  return { busy, run };
}
