import { Scissors } from "lucide-react";
import styles from "./Split.module.css";
import { texts } from "./split.texts";
import { splitAt } from "./splitting";

/** Splits the conversation at a message, by the mouse. The keyboard has a shortcut that asks for the message. */
export function SplitHere({ id }: { id: string }) {
  return (
    <button type="button" tabIndex={-1} className={styles.here} title={texts.here} aria-label={texts.here} onClick={() => splitAt.set(id)}>
      <Scissors size={13} />
    </button>
  );
}
