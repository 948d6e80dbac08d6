import { CircleCheck, Lock, MessageSquareQuote, Paperclip, SendHorizontal } from "lucide-react";
import { useEffect, useId, useImperativeHandle, useLayoutEffect, useRef, useState, type ClipboardEvent, type KeyboardEvent, type Ref } from "react";
import type { CannedAnswer, Conversation } from "../api/types";
import { Button, cx, IconButton, Picker } from "../kit";
import { useCommand } from "../shell/commands";
import { newestHere, sendMessage, useCannedAnswers, useMe, useStore } from "../sync";
import { filled, fitting, shortcutAt } from "./canned";
import styles from "./Composer.module.css";
import { dropSent, goneDraft, joined, leftOf, loadDraft, none, saveDraft, type Draft, type Returned } from "./drafts";
import { mostFiles } from "../../../shared/files";
import { useGoOn } from "./flow";
import type { SayTyping } from "./presence";
import { UploadList } from "./UploadList";
import { useUploads } from "./uploads";
import { useDrop } from "./useDrop";

/** The limit of the contract, in bytes of UTF-8. */
const most = 65_536;
const typingEnds = 4000;

/** What the composer does for others. */
export interface ComposerHandle {
  /** Takes back what was sent, before what is written, and goes on from there. */
  give: (item: Returned) => void;
}

interface Props {
  ref: Ref<ComposerHandle>;
  conversation: Conversation;
  onTyping: SayTyping;
}

/** Where a reply or a private note is written. What is written stays with the conversation until it is sent. */
export function Composer({ ref, conversation, onTyping }: Props) {
  const store = useStore();
  const me = useMe();
  const answers = useCannedAnswers();
  const [draft, setDraft] = useState(() => loadDraft(me.id, conversation.id));
  const [caret, setCaret] = useState(0);
  const [chosen, setChosen] = useState(0);
  const [dismissed, setDismissed] = useState(false);
  const box = useRef<HTMLTextAreaElement>(null);
  const listId = useId();
  const { text, note } = draft;
  const asked = dismissed ? null : shortcutAt(text, caret);
  const offered = asked ? fitting(answers, asked.query) : [];
  const pick = offered[Math.min(chosen, offered.length - 1)];
  useTyping(text, note, onTyping);
  useAutoHeight(box, text);
  const uploads = useUploads(draft.files);
  const { all: files, ready } = uploads;
  const attach = (given: Iterable<File>) => uploads.add(given);
  const chooser = useRef<HTMLInputElement>(null);
  const root = useRef<HTMLDivElement>(null);
  const dropping = useDrop(root, attach);
  useCommand("attach", () => chooser.current?.click());
  const kept = JSON.stringify(ready);
  useEffect(() => void saveDraft(me.id, conversation.id, { ...draft, files: JSON.parse(kept) as typeof draft.files }), [me.id, conversation.id, draft, kept]);
  const { drop } = uploads;
  useEffect(() => {
    const changed = (event: StorageEvent) => {
      const gone = goneDraft(me.id, conversation.id, event);
      if (!gone) return;
      setDraft((old) => leftOf(old, gone));
      drop(gone.files.map(({ id }) => id));
    };
    window.addEventListener("storage", changed);
    return () => window.removeEventListener("storage", changed);
  }, [me.id, conversation.id, drop]);
  useImperativeHandle(ref, () => ({
    give: (item) => {
      setDraft((old) => joined(old, item, newestHere(store.state.get(), conversation.id), files.length > 0));
      uploads.give(item.attachments);
      box.current?.focus();
    },
  }));

  const mode = (next: boolean) => () => {
    setDraft((old) => ({ ...old, note: next }));
    box.current?.focus();
  };
  useCommand("reply", mode(false));
  useCommand("note", mode(true));
  const tooLong = text.length * 3 > most && new TextEncoder().encode(text).length > most;
  const sendable = (text.trim() !== "" || ready.length > 0) && !tooLong && !uploads.busy && ready.length <= mostFiles;
  /** The draft with another text. What came since it was begun stops it once. */
  const worded = (old: Draft, text: string): Draft => ({ ...old, text, begun: text.trim() === "" ? undefined : (old.begun ?? newestHere(store.state.get(), conversation.id)) });
  const goOn = useGoOn();
  const send = (resolve = false) => {
    if (!sendable) return;
    setDraft(none);
    dropSent(me.id, conversation.id, { ...draft, files: ready }); // to go on can take this composer away before its effects run
    uploads.clear();
    onTyping(false, note);
    sendMessage(store, { conversationId: conversation.id, content: text.trim(), isPrivate: note, attachments: ready, begun: draft.begun, resolve });
    if (resolve || !note) goOn(resolve ? "resolved" : "replied");
  };
  const insert = (answer: CannedAnswer, from: number, to: number) => {
    const words = filled(answer.content, conversation, me.name);
    setDraft((old) => worded(old, old.text.slice(0, from) + words + old.text.slice(to)));
    setDismissed(true);
    const at = from + words.length;
    requestAnimationFrame(() => {
      box.current?.focus();
      box.current?.setSelectionRange(at, at);
    });
  };
  const key = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      return send(event.shiftKey);
    }
    if (event.key === "Escape") {
      if (pick) setDismissed(true);
      else box.current?.blur();
      return;
    }
    if (!pick || !asked) return;
    const moves: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
    const by = moves[event.key];
    if (by) setChosen((Math.min(chosen, offered.length - 1) + by + offered.length) % offered.length);
    else if (event.key === "Enter" || event.key === "Tab") insert(pick, asked.start, caret);
    else return;
    event.preventDefault();
  };
  const paste = (event: ClipboardEvent) => {
    if (event.clipboardData.files.length === 0) return;
    event.preventDefault();
    attach(event.clipboardData.files);
  };
  return (
    <div ref={root} className={cx(styles.composer, note && styles.note, dropping && styles.dropping)}>
      {pick && asked && (
        <div id={listId} role="listbox" aria-label="Canned answers" className={styles.answers}>
          {offered.map((answer) => (
            <div
              key={answer.id}
              id={`${listId}-${answer.id}`}
              role="option"
              aria-selected={answer === pick}
              className={styles.answer}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => insert(answer, asked.start, caret)}
            >
              <b>/{answer.shortcut}</b>
              <span>{answer.content}</span>
            </div>
          ))}
        </div>
      )}
      <div className={styles.modes} role="radiogroup" aria-label="What to write">
        <Mode label="Reply" checked={!note} onCheck={mode(false)} />
        <Mode label="Private note" checked={note} onCheck={mode(true)} />
      </div>
      <textarea
        ref={box}
        className={styles.text}
        rows={2}
        value={text}
        dir="auto"
        aria-label={note ? "Private note" : "Reply"}
        aria-autocomplete="list"
        aria-controls={pick ? listId : undefined}
        aria-activedescendant={pick ? `${listId}-${pick.id}` : undefined}
        placeholder={note ? "Only your team sees this" : `Reply to ${conversation.contact.name || "the customer"}. Type / for a canned answer`}
        onChange={(event) => {
          setDraft((old) => worded(old, event.target.value));
          setCaret(event.target.selectionStart);
          setDismissed(false);
          setChosen(0);
        }}
        onSelect={(event) => setCaret(event.currentTarget.selectionStart)}
        onKeyDown={key}
        onPaste={paste}
      />
      <UploadList all={files} onRemove={uploads.remove} />
      <div className={styles.foot}>
        <input
          ref={chooser}
          type="file"
          multiple
          hidden
          onChange={({ target }) => {
            attach(target.files ?? []);
            target.value = ""; // so that the same file can be chosen again
            box.current?.focus();
          }}
        />
        <IconButton size="sm" label="Attach files" shortcut="f" icon={<Paperclip size={16} />} disabled={files.length >= mostFiles} onClick={() => chooser.current?.click()} />
        <Picker
          label="Canned answers"
          placeholder="Find a canned answer"
          choices={answers.map((answer) => ({ value: answer.id, label: `/${answer.shortcut}`, detail: answer.content.slice(0, 60) }))}
          value=""
          onChange={(id) => {
            const answer = answers.find((one) => one.id === id);
            const at = box.current?.selectionStart ?? text.length;
            if (answer) insert(answer, at, at);
          }}
          button={<IconButton size="sm" label="Canned answers" icon={<MessageSquareQuote size={16} />} />}
        />
        <span className={styles.hint} role="status">
          {tooLong
            ? "This is longer than a message may be."
            : dropping
              ? "Drop files to attach them"
              : files.length >= mostFiles
                ? `A message takes ${mostFiles} files`
                : note
                  ? "Customers never see private notes"
                  : ""}
        </span>
        <IconButton
          size="sm"
          label={note ? "Add the note and resolve" : "Send and resolve"}
          shortcut="Mod+Shift+Enter"
          icon={<CircleCheck size={16} />}
          disabled={!sendable}
          onClick={() => send(true)}
        />
        <Button variant="primary" size="sm" icon={note ? <Lock size={14} /> : <SendHorizontal size={14} />} disabled={!sendable} onClick={() => send()} title="Ctrl+Enter, on a Mac ⌘+Enter">
          {note ? "Add note" : "Send"}
        </Button>
      </div>
    </div>
  );
}

function Mode({ label, checked, onCheck }: { label: string; checked: boolean; onCheck: () => void }) {
  return (
    <button type="button" role="radio" aria-checked={checked} className={styles.mode} onClick={onCheck}>
      {label}
    </button>
  );
}

/** Says that one types, from the first key until a rest. */
function useTyping(text: string, note: boolean, onTyping: SayTyping) {
  const first = useRef(true);
  useEffect(() => {
    if (first.current) {
      first.current = false;
      return;
    }
    onTyping(text.trim() !== "", note);
    const timer = setTimeout(() => onTyping(false, note), typingEnds);
    return () => clearTimeout(timer);
  }, [text, note, onTyping]);
}

function useAutoHeight(box: React.RefObject<HTMLTextAreaElement | null>, text: string) {
  useLayoutEffect(() => {
    const area = box.current;
    if (!area) return;
    area.style.height = "auto";
    area.style.height = `${area.scrollHeight}px`;
  }, [box, text]);
}
