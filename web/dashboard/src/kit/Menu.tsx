import * as Ariakit from "@ariakit/react";
import type { ReactElement, ReactNode } from "react";
import { cx } from "./cx";
import { Kbd } from "./Kbd";
import styles from "./Popover.module.css";

export type MenuEntry =
  | {
      label: string;
      icon?: ReactNode;
      shortcut?: string;
      danger?: boolean;
      disabled?: boolean;
      /** If given, the entry belongs to a choice, and this is whether it is chosen. */
      checked?: boolean;
      onSelect: () => void;
    }
  | { heading: string }
  | "separator";

/** A menu of actions. `button` is the element that opens it, a Button or IconButton. */
export function Menu({ button, label, entries }: { button: ReactElement; label?: string; entries: readonly MenuEntry[] }) {
  return (
    <Ariakit.MenuProvider>
      <Ariakit.MenuButton render={button} />
      <Ariakit.Menu className={styles.popover} gutter={4} portal unmountOnHide {...(label && { "aria-label": label })}>
        {entries.map((entry, index) => (
          <Entry key={index} entry={entry} />
        ))}
      </Ariakit.Menu>
    </Ariakit.MenuProvider>
  );
}

function Entry({ entry }: { entry: MenuEntry }) {
  const menu = Ariakit.useMenuContext();
  if (entry === "separator") return <Ariakit.MenuSeparator className={styles.separator} />;
  if ("heading" in entry) return <div className={styles.heading}>{entry.heading}</div>;
  // What the entry opens gives the focus back to the button, because the entry is gone by then.
  const select = () => {
    menu?.getState().disclosureElement?.focus();
    entry.onSelect();
  };
  const inner = (
    <>
      {entry.icon}
      <span className={styles.text}>{entry.label}</span>
      {entry.shortcut && <Kbd keys={entry.shortcut} />}
    </>
  );
  if (entry.checked !== undefined) {
    return (
      <Ariakit.MenuItemRadio name={entry.label} value="on" checked={entry.checked} hideOnClick className={styles.item} disabled={entry.disabled ?? false} onClick={select}>
        {inner}
        <Ariakit.MenuItemCheck checked={entry.checked} className={styles.check} />
      </Ariakit.MenuItemRadio>
    );
  }
  return (
    <Ariakit.MenuItem className={cx(styles.item, entry.danger && styles.danger)} disabled={entry.disabled ?? false} onClick={select}>
      {inner}
    </Ariakit.MenuItem>
  );
}
