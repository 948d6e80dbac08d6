import { useRef, useState } from "react";
import { useToast } from "./Toast";

/** An immediate action, such as a button's, which reports success or failure. */
export function useAction() {
  const toast = useToast();
  const running = useRef(false);
  const [busy, setBusy] = useState(false);

  /** Runs the work unless it is running already, and returns whether it succeeded; then `said` is shown. */
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
