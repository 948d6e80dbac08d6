import styles from "./Kbd.module.css";
import { texts } from "./texts";

const mac = typeof navigator !== "undefined" && /Mac|iPhone|iPad/.test(navigator.platform);

/** Keys as labelled on the keyboard: "Mod+K", or "g i" for a sequence. Mod is Cmd on a Mac, otherwise Ctrl. */
export function Kbd({ keys }: { keys: string }) {
  const parts = keys.split(/[+ ]/).map((key) => (key === "Mod" ? (mac ? "⌘" : texts.kbd.ctrl) : key === "Enter" ? "↵" : key.length === 1 && keys.includes("+") ? key.toUpperCase() : key));
  return (
    <span className={styles.keys}>
      {parts.map((part, index) => (
        <kbd key={index} className={styles.key}>
          {part}
        </kbd>
      ))}
    </span>
  );
}
