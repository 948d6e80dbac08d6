import { useId, useState, type KeyboardEvent } from "react";
import type { CannedAnswer } from "../api/types";
import { useCannedAnswers } from "../sync";
import { fitting, shortcutAt } from "./canned";
import styles from "./Composer.module.css";
import { texts } from "./texts";

const moves: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };

export interface CannedChoice {
  listId: string;
  offered: readonly CannedAnswer[];
  /** The answer that Enter inserts; undefined if none is offered. */
  pick: CannedAnswer | undefined;
  /** The id of the element of `pick`. */
  pickId: string | undefined;
  insert: (answer: CannedAnswer) => void;
  /** The user changed the text. */
  typed: (caret: number) => void;
  moved: (caret: number) => void;
  dismiss: () => void;
  /** Handles the keys for choosing and returns whether it did. */
  key: (event: KeyboardEvent) => boolean;
}

/**
 * Offers the canned answers that match the "/shortcut" before the caret; `onInsert` replaces that part of the text with
 * one.
 */
export function useCannedChoice(text: string, onInsert: (answer: CannedAnswer, from: number, to: number) => void): CannedChoice {
  const answers = useCannedAnswers();
  const [caret, setCaret] = useState(0);
  const [chosen, setChosen] = useState(0);
  const [dismissed, setDismissed] = useState(false);
  const listId = useId();
  const asked = dismissed ? null : shortcutAt(text, caret);
  const offered = asked ? fitting(answers, asked.query) : [];
  const at = Math.min(chosen, offered.length - 1);
  const pick = offered[at];
  const insert = (answer: CannedAnswer) => {
    if (!asked) return;
    onInsert(answer, asked.start, caret);
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

export function CannedList({ choice: { listId, offered, pick, insert } }: { choice: CannedChoice }) {
  if (!pick) return null;
  return (
    <div id={listId} role="listbox" aria-label={texts.cannedList.cannedAnswers} className={styles.answers}>
      {offered.map((answer) => (
        <div
          key={answer.id}
          id={`${listId}-${answer.id}`}
          role="option"
          aria-selected={answer === pick}
          className={styles.answer}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => insert(answer)}
        >
          <b>/{answer.shortcut}</b>
          <span>{answer.content}</span>
        </div>
      ))}
    </div>
  );
}
