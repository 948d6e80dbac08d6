// Components that the settings pages share: lists of short rows.
import type { ReactNode } from "react";
import { CopyButton, EmptyState, ErrorState, SkeletonRows } from "../kit";
import css from "./settings.module.css";
import { texts } from "./texts";

interface RowsProps<T> {
  /** The name of the list for screen readers. */
  label: string;
  /** Undefined while they are loading. */
  rows: readonly T[] | undefined;
  error?: unknown;
  onRetry?: () => void;
  empty: { title: string; text: string };
  keyOf: (row: T) => string;
  children: (row: T) => ReactNode;
  /** The content below a row, if it is open. */
  below?: (row: T) => ReactNode;
}

/** A list of records with its loading, empty and error states. */
export function Rows<T>({ label, rows, error, onRetry, empty, keyOf, children, below }: RowsProps<T>) {
  if (error !== undefined && rows === undefined) return <ErrorState error={error} {...(onRetry && { onRetry })} />;
  if (rows === undefined) return <SkeletonRows count={3} avatar={false} />;
  if (rows.length === 0) return <EmptyState title={empty.title}>{empty.text}</EmptyState>;
  return (
    <ul className={css.rows} aria-label={label}>
      {rows.map((row) => (
        <li key={keyOf(row)} className={css.item}>
          <div className={css.row}>{children(row)}</div>
          {below?.(row)}
        </li>
      ))}
    </ul>
  );
}

/** The text of a row: a name, badges next to it, a muted line below. */
export function RowText({ name, badges, note }: { name: ReactNode; badges?: ReactNode; note?: ReactNode }) {
  return (
    <div className={css.rowText}>
      <div className={css.rowName}>
        <strong>{name}</strong>
        {badges}
      </div>
      {note && <div className={css.rowNote}>{note}</div>}
    </div>
  );
}

/** The buttons at the end of a row. */
export function RowActions({ children }: { children: ReactNode }) {
  return <div className={css.rowActions}>{children}</div>;
}

/** Code to copy. */
export function Code({ label, text }: { label: string; text: string }) {
  return (
    <figure className={css.code}>
      <figcaption>
        {label}
        <CopyButton label={texts.parts.copy(label)} value={text} />
      </figcaption>
      <pre tabIndex={0} aria-label={label}>
        {text}
      </pre>
    </figure>
  );
}
