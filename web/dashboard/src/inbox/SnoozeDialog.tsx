import { useState, type KeyboardEvent, type ReactNode } from "react";
import { Dialog, dayTime, fold, TextField } from "../kit";
import styles from "./Snooze.module.css";
import { texts } from "./snooze.texts";
import { parseWhen, presets } from "./when";

interface Props {
  /** What is asked; without it, until when to snooze. */
  title?: string;
  onClose: () => void;
  onPick: (at: number) => void;
  /** More choices, below the times. */
  children?: ReactNode;
}

/** Asks for a time: a list of times, and a field that reads others. */
export function SnoozeDialog({ title = texts.title, onClose, onPick, children }: Props) {
  const [text, setText] = useState("");
  const [now] = useState(() => Date.now());
  const [missed, setMissed] = useState(false);
  const typed = parseWhen(text, now);
  const offered = presets(now)
    .map(({ name, at }) => ({ name: texts.presets[name], at }))
    .filter(({ name }) => fold(name).includes(fold(text.trim())));
  const choices = typed === null ? offered : [{ name: texts.asTyped, at: typed }, ...offered.filter(({ at }) => at !== typed)];
  const submit = () => {
    const first = choices[0];
    if (first) onPick(first.at);
    else setMissed(true);
  };
  return (
    <Dialog open onClose={onClose} title={title} onSubmit={submit}>
      <div onKeyDown={moveFocus}>
        <TextField
          label={texts.when}
          hint={texts.hint}
          error={missed && choices.length === 0 ? texts.notUnderstood : undefined}
          autoFocus
          autoComplete="off"
          maxLength={60}
          value={text}
          onChange={(value) => {
            setText(value);
            setMissed(false);
          }}
        />
        <ul className={styles.list} aria-label={texts.times}>
          {choices.map(({ name, at }) => (
            <li key={at}>
              <button type="button" className={styles.choice} onClick={() => onPick(at)}>
                <span>{name}</span>
                <time dateTime={new Date(at).toISOString()}>{dayTime(at)}</time>
              </button>
            </li>
          ))}
        </ul>
        {children}
      </div>
    </Dialog>
  );
}

/** The arrows move between the field and the times. */
function moveFocus(event: KeyboardEvent<HTMLElement>) {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (step === 0) return;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>("input, button")];
  const next = stops[stops.indexOf(event.target as HTMLElement) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
