import * as Ariakit from "@ariakit/react";
import { useLayoutEffect, useState } from "react";
import { cx } from "./cx";
import { Kbd } from "./Kbd";
import type { MenuEntry, MenuFocus, MenuProps } from "./Menu";
import styles from "./Popover.module.css";

/** The menu behind the button, which is open when it is mounted. */
export function MenuParts({ button, label, entries, focus }: MenuProps & { focus: MenuFocus }) {
  const menu = Ariakit.useMenuStore({ defaultOpen: true });
  const [start] = useState(focus);
  useLayoutEffect(() => {
    menu.setAutoFocusOnShow(true);
    menu.setInitialFocus(start);
  }, [menu, start]);
  return (
    <Ariakit.MenuProvider store={menu}>
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
