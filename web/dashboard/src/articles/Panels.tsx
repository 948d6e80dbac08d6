import type { ReactNode } from "react";
import { Tabs } from "../kit";
import css from "./Editor.module.css";
import { texts } from "./texts";

export type Panel = "write" | "preview" | "details" | "versions";

interface Props {
  selected: Panel;
  onSelect: (panel: Panel) => void;
  /** The text and the panels take turns. */
  narrow: boolean;
  /** The text, or false while a panel has its place. */
  writing: ReactNode;
  children: ReactNode;
}

/** The text and, beside it, one of the panels. */
export function Panels({ selected, onSelect, narrow, writing, children }: Props) {
  const tab = (id: Panel) => ({ id, label: texts.editor[id] });
  const tabs = [...(narrow ? [tab("write")] : []), tab("preview"), tab("details"), tab("versions")];
  return (
    <div className={css.panels} data-narrow={narrow || undefined}>
      {!narrow && writing}
      <div className={css.panel}>
        <Tabs label={texts.editor.panels} tabs={tabs} selected={selected} onSelect={onSelect}>
          <div className={css.panelBody} data-panel={selected}>
            {narrow && selected === "write" ? writing : children}
          </div>
        </Tabs>
      </div>
    </div>
  );
}
