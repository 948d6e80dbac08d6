import type { KeyboardEvent, PointerEvent } from "react";
import { cx } from "../kit";
import { changeLayout, useLayout, widths, type Pane } from "../shell/layout";
import styles from "./Inbox.module.css";
import { texts } from "./list.texts";

/** How far an arrow key moves the separator, in pixels. */
const step = 20;

/** The edge between a pane and the conversation: dragged, or moved by the arrow keys. */
export function PaneSeparator({ pane }: { pane: Pane }) {
  const width = useLayout()[pane];
  const { least, usual, most } = widths[pane];
  const right = pane === "listWidth" ? 1 : -1; // the contact grows to the left
  const change = (to: number) => changeLayout({ [pane]: to });
  const key = (event: KeyboardEvent) => {
    const to = { ArrowLeft: width - right * step, ArrowRight: width + right * step, Home: least, End: most }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    change(to);
  };
  const drag = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return;
    const bar = event.currentTarget;
    const start = width - right * event.clientX;
    bar.setPointerCapture(event.pointerId);
    bar.onpointermove = (move) => change(start + right * move.clientX);
    bar.onlostpointercapture = () => (bar.onpointermove = null);
  };
  return (
    <div
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={texts.widths[pane]}
      aria-valuenow={width}
      aria-valuemin={least}
      aria-valuemax={most}
      className={cx(styles.separator, pane === "contactWidth" && styles.before)}
      onKeyDown={key}
      onPointerDown={drag}
      onMouseDown={(event) => {
        event.preventDefault(); // the browser would drag what is selected, and end ours
        event.currentTarget.focus();
      }}
      onDoubleClick={() => change(usual)}
    />
  );
}
