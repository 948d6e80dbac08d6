// Charts over the items of a breakdown (products, inboxes, members, companies):
// a row for each, with its name and its numbers as text, and a bar or a span
// next to them. The text says everything that the drawing does.
import { cx } from "../kit";
import { Legend } from "./chart";
import css from "./chart.module.css";
import { texts } from "./texts";

/** The most rows that a chart shows; the table has them all. */
export const shownItems = 8;

/** One row of a chart over items. */
export interface Item {
  key: string;
  label: string;
  values: readonly (number | null)[];
}

interface ItemChartProps {
  names: readonly [string, string];
  items: readonly Item[];
  /** bars: a bar for each value. span: a line from the first value to the second. */
  shape: "bars" | "span";
  format: (value: number | null) => string;
}

/** Draws two values of each item, in the order given. */
export function ItemChart({ names, items, shape, format }: ItemChartProps) {
  const measured = items.filter((item) => item.values.some((value) => value !== null));
  const shown = measured.slice(0, shownItems);
  const top = Math.max(1, ...shown.flatMap((item) => item.values.map((v) => v ?? 0)));
  const share = (value: number | null | undefined) => `${(100 * (value ?? 0)) / top}%`;
  return (
    <>
      <Legend names={names} />
      <ul className={cx(css.items, shape === "span" && css.spans)}>
        {shown.map((item) => (
          <li key={item.key} className={css.item}>
            <span className={css.itemName} title={item.label}>
              {item.label}
            </span>
            <svg className={css.itemDrawing} width="100%" height="22" aria-hidden="true">
              {shape === "bars" ? (
                <>
                  <rect className={css.first} width={share(item.values[0])} height="9" y="1" rx="2" />
                  <rect className={css.second} width={share(item.values[1])} height="9" y="12" rx="2" />
                </>
              ) : (
                item.values[0] != null && (
                  <>
                    <line className={css.span} x1={share(item.values[0])} x2={share(item.values[1])} y1="11" y2="11" />
                    <rect className={css.second} x={share(item.values[1])} y="4" width="4" height="14" rx="2" />
                    <rect className={css.first} x={share(item.values[0])} y="4" width="4" height="14" rx="2" />
                  </>
                )
              )}
            </svg>
            <span className={css.itemValues}>
              {names.map((name, n) => (
                <span key={name}>
                  <span className="visually-hidden">{name} </span>
                  {format(item.values[n] ?? null)}
                </span>
              ))}
            </span>
          </li>
        ))}
      </ul>
      {measured.length > shown.length && <p className={css.rest}>{texts.items.moreBelow(measured.length - shown.length)}</p>}
    </>
  );
}
