import { useId, useState, type KeyboardEvent, type ReactNode } from "react";
import styles from "./Composer.module.css";

const moves: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };

export interface Offers<T> {
  listId: string;
  offered: readonly T[];
  /** What Enter inserts; undefined if nothing is offered. */
  pick: T | undefined;
  /** The id of the element of `pick`. */
  pickId: string | undefined;
  insert: (one: T) => void;
  /** The user changed the text. */
  typed: (caret: number) => void;
  moved: (caret: number) => void;
  dismiss: () => void;
  /** Handles the keys for choosing and returns whether it did. */
  key: (event: KeyboardEvent) => boolean;
}

interface Options<T> {
  /** What is asked for before the caret, and where that begins; null for nothing. */
  askedAt: (caret: number) => { start: number; query: string } | null;
  fitting: (query: string) => readonly T[];
  /** Replaces a part of the text. */
  onInsert: (one: T, from: number, to: number) => void;
}

/** Offers what can stand in the place of the word before the caret. */
export function useOffers<T extends { id: string }>({ askedAt, fitting, onInsert }: Options<T>): Offers<T> {
  const [caret, setCaret] = useState(0);
  const [chosen, setChosen] = useState(0);
  const [dismissed, setDismissed] = useState(false);
  const listId = useId();
  const asked = dismissed ? null : askedAt(caret);
  const offered = asked ? fitting(asked.query) : [];
  const at = Math.min(chosen, offered.length - 1);
  const pick = offered[at];
  const insert = (one: T) => {
    if (!asked) return;
    onInsert(one, asked.start, caret);
    setDismissed(true);
  };
  return {
    listId,
    offered,
    pick,
    pickId: pick && `${listId}-${pick.id}`,
    insert,
    typed: (caret) => {
      setCaret(caret);
      setDismissed(false);
      setChosen(0);
    },
    moved: setCaret,
    dismiss: () => setDismissed(true),
    key: ({ key }) => {
      const by = moves[key];
      if (!pick || (!by && key !== "Enter" && key !== "Tab")) return false;
      if (by) setChosen((at + by + offered.length) % offered.length);
      else insert(pick);
      return true;
    },
  };
}

interface ListProps<T> {
  offers: Offers<T>;
  label: string;
  render: (one: T) => ReactNode;
}

export function OfferList<T extends { id: string }>({ offers: { listId, offered, pick, insert }, label, render }: ListProps<T>) {
  if (!pick) return null;
  return (
    <div id={listId} role="listbox" aria-label={label} className={styles.answers}>
      {offered.map((one) => (
        <div key={one.id} id={`${listId}-${one.id}`} role="option" aria-selected={one === pick} className={styles.answer} onMouseDown={(event) => event.preventDefault()} onClick={() => insert(one)}>
          {render(one)}
        </div>
      ))}
    </div>
  );
}
