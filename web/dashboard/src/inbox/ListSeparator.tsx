import type { KeyboardEvent, PointerEvent } from "react";
import { changeLayout, listWidths, useLayout } from "../shell/layout";
import styles from "./Inbox.module.css";
import { texts } from "./list.texts";

/** How far an arrow key moves the separator, in pixels. */
const step = 20;

/** The edge between the list and the conversation: dragged, or moved by the arrow keys. */
export function ListSeparator() {
  const { listWidth } = useLayout();
  const key = (event: KeyboardEvent) => {
    const to = { ArrowLeft: listWidth - step, ArrowRight: listWidth + step, Home: listWidths.least, End: listWidths.most }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    changeLayout({ listWidth: to });
  };
  const drag = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return;
    const bar = event.currentTarget;
    const start = listWidth - event.clientX;
    bar.setPointerCapture(event.pointerId);
    bar.onpointermove = (move) => changeLayout({ listWidth: start + move.clientX });
    bar.onlostpointercapture = () => (bar.onpointermove = null);
  };
  return (
    <div
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={texts.width}
      aria-valuenow={listWidth}
      aria-valuemin={listWidths.least}
      aria-valuemax={listWidths.most}
      className={styles.separator}
      onKeyDown={key}
      onPointerDown={drag}
      onMouseDown={(event) => {
        event.preventDefault(); // the browser would drag what is selected, and end ours
        event.currentTarget.focus();
      }}
      onDoubleClick={() => changeLayout({ listWidth: listWidths.usual })}
    />
  );
}
