import { Sparkles } from "lucide-react";
import { useEffect, useEffectEvent, useRef, type KeyboardEvent } from "react";
import { Link } from "wouter";
import type { AssistResult } from "../api/types";
import { Button } from "../kit";
import { wishes, type Assist } from "./assist";
import { texts } from "./assist.texts";
import styles from "./Assist.module.css";

interface PanelProps {
  assist: Assist;
  /** Puts the text into the composer, as a reply or a note. */
  onInsert: (text: string, note: boolean | null) => void;
  /** The composer gets the focus back. */
  onLeave: () => void;
}

/** The text of the model, above the composer, until it is inserted or discarded. */
export function AssistPanel({ assist, onInsert, onLeave }: PanelProps) {
  const { now, dismiss } = assist;
  const panel = useRef<HTMLElement>(null);
  const id = now?.id;
  const leave = () => {
    dismiss();
    onLeave();
  };
  const escape = useEffectEvent((event: globalThis.KeyboardEvent) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    leave();
  });
  useEffect(() => {
    if (!id) return;
    // The panel gets the focus after a menu or the palette has returned it. Until then Escape is the panel's wherever the focus is.
    const early = (event: globalThis.KeyboardEvent) => escape(event);
    const end = () => document.removeEventListener("keydown", early, true);
    const later = setTimeout(() => {
      end();
      panel.current?.focus();
    }, 50);
    document.addEventListener("keydown", early, true);
    return () => {
      clearTimeout(later);
      end();
    };
  }, [id]);
  if (!now) return null;
  const { result, text } = now;
  const task = wishes[now.id].task;
  const insertable = result !== null && result.problem === null && now.id !== "forMe";
  const insert = () => {
    onInsert(text, task === "summarize" ? true : task === "draft" ? false : null);
    leave();
  };
  const key = (event: KeyboardEvent) => {
    if (event.key === "Escape") leave();
    else if (event.key === "Enter" && event.target === event.currentTarget && insertable) insert();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <section ref={panel} className={styles.panel} aria-label={texts.suggestion} tabIndex={-1} onKeyDown={key}>
      <h3 className={styles.title}>
        <Sparkles size={14} aria-hidden /> {texts[now.id]}
      </h3>
      {text !== "" && (
        <p className={styles.text} dir="auto">
          {text}
        </p>
      )}
      {result && <Findings result={result} />}
      <div className={styles.foot}>
        <span role="status" className={styles.status}>
          {result === null ? texts.writing : (result.problem ?? (insertable ? texts.ready : texts.readyToRead))}
        </span>
        <Button size="sm" onClick={leave}>
          {result === null ? texts.stop : insertable ? texts.discard : texts.close}
        </Button>
        {insertable && (
          <Button size="sm" variant="primary" onClick={insert}>
            {task === "summarize" ? texts.insertNote : texts.insert}
          </Button>
        )}
      </div>
    </section>
  );
}

function Findings({ result: { sources, unchecked } }: { result: AssistResult }) {
  const parts = [...new Set(unchecked.map(({ text }) => text.trim()).filter(Boolean))];
  return (
    <>
      {unchecked.length > 0 && (
        <div className={styles.unchecked}>
          {parts.length === 0 ? texts.checkAll : texts.check}{" "}
          {parts.map((part) => (
            <mark key={part}>{part}</mark>
          ))}
        </div>
      )}
      {sources.length > 0 && (
        <div className={styles.sources}>
          {texts.sources}{" "}
          {sources.map((source) => (
            <Link key={source.articleId} href={`/articles/${source.articleId}/${source.language}`}>
              {source.title}
            </Link>
          ))}
        </div>
      )}
    </>
  );
}
