import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual";
import { useCallback, useEffect, useEffectEvent, useRef, type ReactNode, type Ref } from "react";
import { useOneStop } from "./useOneStop";

export interface VirtualListHandle {
  /** Scrolls the row into view. */
  show: (index: number) => void;
}

interface VirtualListProps {
  count: number;
  /** Estimated height of a row in px; rows are measured. */
  estimate: number;
  keyOf: (index: number) => string;
  row: (index: number) => ReactNode;
  /** Called near the end, again for each new count. */
  onEnd?: () => void;
  label: string;
  className?: string | undefined;
  /** Below the last row, for example "loading more". */
  footer?: ReactNode;
  /** The row to keep in view. */
  current?: number;
  ref?: Ref<HTMLDivElement>;
}

/**
 * A list that renders only the rows in view. Rows are list items, so a screen reader announces the position and the
 * number of rows.
 */
export function VirtualList({ count, estimate, keyOf, row, onEnd, label, className, footer, current = -1 }: VirtualListProps) {
  const scroller = useRef<HTMLDivElement>(null);
  // The row that Tab leads to is rendered wherever the list is scrolled.
  const stopNow = useRef(0);
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => estimate,
    getItemKey: keyOf,
    overscan: 8,
    rangeExtractor: (range) => [...new Set([stopNow.current, ...defaultRangeExtractor(range)])].filter((index) => index < count).sort((a, b) => a - b),
  });
  const show = useCallback((index: number) => virtual.scrollToIndex(index, { align: "auto" }), [virtual]);
  const { stop, onKeyDown, onFocus } = useOneStop(scroller, count, current, show);
  stopNow.current = stop;
  const items = virtual.getVirtualItems();
  const last = items[items.length - 1]?.index ?? -1;
  const end = useEffectEvent(() => onEnd?.());
  useEffect(() => {
    if (count > 0 && last >= count - 30) end();
  }, [last, count]);
  const currentKey = current >= 0 ? keyOf(current) : "";
  const toCurrent = useEffectEvent(() => {
    if (current >= 0) virtual.scrollToIndex(current, { align: "auto" });
  });
  useEffect(() => {
    toCurrent();
    // Depends on the row, not its position: a list that moves does not scroll the reader along.
  }, [currentKey]);
  return (
    <div ref={scroller} data-scroller className={className} style={{ overflowY: "auto", overflowAnchor: "none", height: "100%" }} tabIndex={-1} onKeyDown={onKeyDown} onFocus={onFocus}>
      <div role="list" aria-label={label} style={{ height: virtual.getTotalSize(), position: "relative" }}>
        {items.map((item) => (
          <div
            key={item.key}
            ref={virtual.measureElement}
            data-index={item.index}
            role="listitem"
            aria-posinset={item.index + 1}
            aria-setsize={count}
            style={{ position: "absolute", top: 0, left: 0, width: "100%", transform: `translateY(${item.start}px)` }}
          >
            {row(item.index)}
          </div>
        ))}
      </div>
      {footer}
    </div>
  );
}
