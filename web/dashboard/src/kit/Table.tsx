import type { ReactNode } from "react";
import { cx } from "./cx";
import styles from "./Table.module.css";

export interface Column<T> {
  key: string;
  title: ReactNode;
  cell: (row: T) => ReactNode;
  /** Right-aligned, with tabular digits. */
  number?: boolean;
  /** Hidden on phones. */
  secondary?: boolean;
}

interface TableProps<T> {
  /** The description of the table for screen readers. */
  caption: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  rowKey: (row: T) => string;
  /** A last row, for example the sum. */
  footer?: T;
}

/** A plain table for short lists; use a VirtualList for long ones. */
export function Table<T>({ caption, columns, rows, rowKey, footer }: TableProps<T>) {
  const look = (column: Column<T>) => cx(column.number && styles.number, column.secondary && styles.secondary);
  return (
    <div className={styles.scroll}>
      <table className={styles.table}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.key} scope="col" className={look(column)}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map((column) => (
                <td key={column.key} className={look(column)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        {footer !== undefined && (
          <tfoot>
            <tr>
              {columns.map((column) => (
                <td key={column.key} className={look(column)}>
                  {column.cell(footer)}
                </td>
              ))}
            </tr>
          </tfoot>
        )}
      </table>
    </div>
  );
}
