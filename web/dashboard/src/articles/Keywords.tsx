import { X } from "lucide-react";
import { useState, type ClipboardEvent, type KeyboardEvent } from "react";
import { Field } from "../kit";
import css from "./Editor.module.css";
import { texts } from "./texts";

interface Props {
  words: readonly string[];
  error?: string | undefined;
  onChange: (words: readonly string[]) => void;
}

/** Words and phrases as chips. Enter or a comma adds what was typed; Backspace in the empty field removes the last. */
export function Keywords({ words, error, onChange }: Props) {
  const [typed, setTyped] = useState("");
  const add = (text: string) => {
    const given = text
      .split(/[,;\n]/)
      .map((word) => word.trim())
      .filter((word) => word !== "");
    if (given.length > 0) onChange([...new Set([...words, ...given])]);
    setTyped("");
  };
  const key = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter" || event.key === ",") {
      event.preventDefault();
      add(typed);
    } else if (event.key === "Backspace" && typed === "" && words.length > 0) onChange(words.slice(0, -1));
  };
  const paste = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData("text");
    if (!/[,;\n]/.test(text)) return;
    event.preventDefault();
    add(typed + text);
  };
  return (
    <Field label={texts.keywords.label} hint={texts.keywords.hint} error={error}>
      {(wiring) => (
        <div className={css.words}>
          {words.map((word) => (
            <span key={word} className={css.word} dir="auto">
              {word}
              <button type="button" aria-label={texts.keywords.remove(word)} onClick={() => onChange(words.filter((other) => other !== word))}>
                <X size={12} aria-hidden />
              </button>
            </span>
          ))}
          <input
            {...wiring}
            className={css.wordInput}
            value={typed}
            maxLength={100}
            autoComplete="off"
            placeholder={words.length === 0 ? texts.keywords.example : texts.keywords.more}
            onChange={({ target }) => setTyped(target.value)}
            onKeyDown={key}
            onPaste={paste}
            onBlur={() => add(typed)}
          />
        </div>
      )}
    </Field>
  );
}
