import { CircleAlert, Clock, Paperclip } from "lucide-react";
import { useEffect, useRef, useState, type ReactNode } from "react";
import type { Member } from "../api/types";
import { Avatar, Button, cx, useToast } from "../kit";
import { heldFor, type Item, type Question } from "../outbox/item";
import { useStore } from "../sync";
import styles from "./Conversation.module.css";
import { texts } from "./texts";
import { takeBack } from "./undosend";
import { NoteWords, Words } from "./Words";

interface Props {
  item: Item;
  me: Member;
}

/** A message of this member that is being sent, that failed, or that needs a confirmation. */
export function WaitingBubble({ item, me }: Props) {
  const { content, isPrivate, attachments, stand } = item;
  return (
    <article className={cx(styles.message, styles.out)} aria-label={stand.is === "ready" ? texts.waitingBubble.onItsWay : texts.waitingBubble.wasNotSent}>
      <div className={styles.face}>
        <Avatar id={me.id} name={me.name} image={me.image} size={26} />
      </div>
      <div className={styles.column}>
        {content !== "" && (
          <div className={cx(styles.bubble, isPrivate && styles.note)} dir="auto">
            {item.mentions ? <NoteWords content={content} marked={item.markdown === true} mentions={item.mentions} /> : <Words content={content} marked={item.markdown === true} />}
          </div>
        )}
        {attachments.map(({ id, fileName }) => (
          <div key={id} className={styles.foot}>
            <Paperclip size={13} aria-hidden />
            {fileName}
          </div>
        ))}
        <Foot item={item} me={me} />
      </div>
    </article>
  );
}

function Foot({ item, me }: Props) {
  const store = useStore();
  const { outbox } = store;
  const { key, stand } = item;
  const edit = () => takeBack(store, me.id, key);
  const held = useHeld(item);
  const toast = useToast();
  const discard = async () => {
    const taken = await outbox.take(key);
    if (taken) toast.done(texts.waitingBubble.discarded, { label: texts.waitingBubble.undo, onSelect: () => outbox.restore(taken) });
  };
  switch (stand.is) {
    case "ready":
      if (held)
        return (
          <div className={styles.foot}>
            <Clock size={13} aria-hidden />
            {texts.waitingBubble.held}
            <span className={styles.choices}>
              <Button size="sm" onClick={() => void edit()}>
                {texts.waitingBubble.undo}
              </Button>
              <Button size="sm" variant="ghost" onClick={() => outbox.release(key)}>
                {texts.waitingBubble.sendNow}
              </Button>
            </span>
          </div>
        );
      return (
        <div className={styles.foot}>
          <Clock size={13} aria-hidden />
          {texts.waitingBubble.sending}
        </div>
      );
    case "late":
      return (
        <Fault text={texts.waitingBubble.goesByItself(sentence(stand.fault))}>
          <Button size="sm" onClick={() => outbox.retry(key)}>
            {texts.waitingBubble.tryNow}
          </Button>
          <Button size="sm" variant="ghost" onClick={() => void discard()}>
            {texts.waitingBubble.discard}
          </Button>
        </Fault>
      );
    case "refused":
      return (
        <Fault text={texts.waitingBubble.notSent(sentence(stand.fault))}>
          <Button size="sm" onClick={() => outbox.retry(key)}>
            {texts.waitingBubble.tryAgain}
          </Button>
          <Button size="sm" onClick={() => void edit()}>
            {texts.waitingBubble.edit}
          </Button>
          <Button size="sm" variant="ghost" onClick={() => void discard()}>
            {texts.waitingBubble.discard}
          </Button>
        </Fault>
      );
    case "asks":
      return <Ask question={stand.question} isPrivate={item.isPrivate} onSend={(reopen) => outbox.agree(key, reopen)} onEdit={() => void edit()} onDiscard={() => void discard()} />;
  }
}

/** Whether the item can still be taken back. */
function useHeld(item: Item): boolean {
  const [now, setNow] = useState(() => Date.now());
  const left = heldFor(item, now);
  useEffect(() => {
    if (left === 0) return;
    const timer = setTimeout(() => setNow(Date.now()), left);
    return () => clearTimeout(timer);
  }, [left]);
  return left > 0;
}

function Fault({ text, children }: { text: string; children: ReactNode }) {
  return (
    <div className={cx(styles.foot, styles.failed, styles.fault)} role="alert">
      <span>
        <CircleAlert size={13} aria-hidden /> {text}
      </span>
      <span className={styles.choices}>{children}</span>
    </div>
  );
}

interface AskProps {
  question: Question;
  isPrivate: boolean;
  onSend: (reopen: boolean) => void;
  onEdit: () => void;
  onDiscard: () => void;
}

/** What happened in the meantime, and what to do now. */
function Ask({ question, isPrivate, onSend, onEdit, onDiscard }: AskProps) {
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // A member who has just pressed the key continues here, unless they are writing the next message.
    const { activeElement } = document;
    const idle = activeElement === document.body || (activeElement instanceof HTMLTextAreaElement && activeElement.value === "");
    if (idle) first.current?.focus();
  }, []);
  return (
    <div className={styles.ask} role="group" aria-label={texts.waitingBubble.sendAllTheSame}>
      <p role="alert">
        <CircleAlert size={14} aria-hidden /> <strong>{headOf(question)}</strong>
      </p>
      {question.answers.map(({ id, name, text }) => (
        <blockquote key={id} dir="auto">
          <b>{name}:</b> {text}
        </blockquote>
      ))}
      <div className={styles.choices}>
        <Button ref={first} size="sm" onClick={onEdit}>
          {texts.waitingBubble.backToEditing}
        </Button>
        {question.resolved ? (
          <>
            <Button size="sm" variant="primary" onClick={() => onSend(true)}>
              {texts.waitingBubble.sendAndReopen}
            </Button>
            <Button size="sm" onClick={() => onSend(false)}>
              {texts.waitingBubble.sendKeepResolved}
            </Button>
          </>
        ) : (
          <Button size="sm" variant="primary" onClick={() => onSend(false)}>
            {isPrivate ? texts.waitingBubble.addAnyway : texts.waitingBubble.sendAnyway}
          </Button>
        )}
        <Button size="sm" variant="ghost" onClick={onDiscard}>
          {texts.waitingBubble.discard}
        </Button>
      </div>
    </div>
  );
}

/** What happened in the meantime, in a sentence or two. */
export function headOf({ old, resolved, resolvedBy, answers }: Question): string {
  const names = [...new Set(answers.map(({ name }) => name))];
  const who = texts.waitingBubble.listed(names);
  const both = resolved && names.length === 1 && who === resolvedBy;
  return [
    old && texts.waitingBubble.waitedLong,
    both && texts.waitingBubble.answeredAndResolved(who),
    !both && answers.length > 0 && texts.waitingBubble.answered(who),
    !both && resolved && (resolvedBy ? texts.waitingBubble.resolvedBy(resolvedBy) : texts.waitingBubble.resolved),
  ]
    .filter(Boolean)
    .join(" ");
}

function sentence(text: string): string {
  const upper = text.charAt(0).toUpperCase() + text.slice(1);
  return upper.endsWith(".") ? upper : `${upper}.`;
}
