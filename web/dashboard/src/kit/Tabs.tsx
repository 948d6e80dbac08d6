import * as Ariakit from "@ariakit/react";
import type { ReactNode } from "react";
import styles from "./Tabs.module.css";

export interface Tab<T extends string = string> {
  id: T;
  label: ReactNode;
}

/** Tabs and the panel of the selected one. */
export function Tabs<T extends string>({ label, tabs, selected, onSelect, children }: { label: string; tabs: readonly Tab<T>[]; selected: T; onSelect: (id: T) => void; children?: ReactNode }) {
  return (
    <Ariakit.TabProvider selectedId={selected} setSelectedId={(id) => id && onSelect(id as T)}>
      <Ariakit.TabList className={styles.tabs} aria-label={label}>
        {tabs.map((tab) => (
          <Ariakit.Tab key={tab.id} id={tab.id} className={styles.tab}>
            {tab.label}
          </Ariakit.Tab>
        ))}
      </Ariakit.TabList>
      <Ariakit.TabPanel tabId={selected}>{children}</Ariakit.TabPanel>
    </Ariakit.TabProvider>
  );
}
