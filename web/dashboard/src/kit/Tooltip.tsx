import { Tooltip as Tip, TooltipAnchor, TooltipProvider } from "@ariakit/react";
import type { ReactElement } from "react";
import { Kbd } from "./Kbd";
import styles from "./Tooltip.module.css";

/** A short text on hover and on focus. The anchor needs a name of its own: a tooltip is not a label. */
export function Tooltip({ text, shortcut, children }: { text: string; shortcut?: string; children: ReactElement }) {
  return (
    <TooltipProvider timeout={400}>
      <TooltipAnchor render={children} />
      <Tip className={styles.tip} gutter={6} unmountOnHide>
        {text}
        {shortcut && <Kbd keys={shortcut} />}
      </Tip>
    </TooltipProvider>
  );
}
