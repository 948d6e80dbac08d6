import { Dialog, Kbd } from "../kit";
import styles from "./Shell.module.css";
import { shortcuts } from "./shortcuts";
import { texts } from "./texts";

/** All shortcuts, by group. */
export function Help({ open, onClose }: { open: boolean; onClose: () => void }) {
  const groups = Map.groupBy(Object.values(shortcuts), (shortcut) => shortcut.group);
  return (
    <Dialog open={open} onClose={onClose} title={texts.help.keyboardShortcuts} wide>
      <div className={styles.help}>
        {[...groups].map(([group, entries]) => (
          <section key={group} className={styles.helpGroup}>
            <h3>{group}</h3>
            <ul>
              {entries.map((entry) => (
                <li key={entry.keys} className={styles.helpRow}>
                  {entry.label}
                  <Kbd keys={entry.keys} />
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
