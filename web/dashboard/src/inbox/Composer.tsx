import { useRef, useState, type ClipboardEvent, type KeyboardEvent } from "react";
import { flushSync } from "react-dom";
import { mostFiles } from "../../../shared/files";
import { hasMarkup } from "../../../shared/markup";
import { api } from "../api/client";
import type { CannedAnswer, Conversation } from "../api/types";
import { chunk, cx, dayTime, dialogChunk, useAutoHeight, useToast } from "../kit";
import { contactName } from "../people/names";
import { useCommand } from "../shell/commands";
import { useMe } from "../sync";
import { useAssist } from "./assist";
import { texts as helpTexts } from "./assist.texts";
import { AssistMenu } from "./AssistMenu";
import { filled } from "./canned";
import { CannedList, useCannedChoice } from "./CannedList";
import styles from "./Composer.module.css";
import { ComposerFoot } from "./ComposerFoot";
import { useGoOn } from "./flow";
import type { SayTyping } from "./presence";
import { setApart, useTakesInserts } from "./inserts";
import { texts as laterTexts } from "./later.texts";
import { MentionList, useNaming } from "./MentionList";
import { useTakesReturned } from "./returned";
import { SendLater } from "./SendLater";
import { texts } from "./texts";
import { useSend } from "./undosend";
import { UploadList } from "./UploadList";
import { useDraft } from "./useDraft";
import { useDrop } from "./useDrop";
import { useTyping } from "./useTyping";

const ArticleFinder = dialogChunk(() => import("./ArticleFinder").then((m) => m.ArticleFinder));
const AssistPanel = chunk(() => import("./AssistPanel").then((m) => m.AssistPanel));

/** The limit of the contract, in bytes of UTF-8. */
const most = 65_536;

interface Props {
  conversation: Conversation;
  onTyping: SayTyping;
}

/** The field for a reply or a private note. The text stays with the conversation until it is sent. */
export function Composer({ conversation, onTyping }: Props) {
  const me = useMe();
  const toast = useToast();
  const { draft, uploads, write, setNote, takeBack, sent } = useDraft(conversation.id);
  const { text, note } = draft;
  const { all: files, ready } = uploads;
  const box = useRef<HTMLTextAreaElement>(null);
  const root = useRef<HTMLDivElement>(null);
  const focus = () => box.current?.focus();
  const attach = (given: Iterable<File>) => uploads.add(given);
  const dropping = useDrop(root, attach);
  useTyping(text, note, onTyping);
  useAutoHeight(box, text);
  useTakesReturned(conversation.id, (item) => {
    takeBack(item);
    focus();
  });
  const mode = (next: boolean) => () => {
    setNote(next);
    focus();
  };
  useCommand("reply", mode(false));
  useCommand("note", mode(true));
  const [finding, setFinding] = useState(false);
  useCommand("article", () => setFinding(true));

  const put = (words: string, from: number, to: number) => {
    // At once, so that the next key goes behind the words.
    flushSync(() => write((old) => old.slice(0, from) + words + old.slice(to)));
    const at = from + words.length;
    const written = text.slice(0, from) + words + text.slice(to);
    const behind = () => box.current?.value === written && box.current.setSelectionRange(at, at);
    behind();
    // A dialog that closes has the focus until then, and may have delayed the change.
    requestAnimationFrame(() => {
      focus();
      behind();
    });
  };
  const insert = (answer: CannedAnswer, from: number, to: number) => put(filled(answer.content, conversation, me.name), from, to);
  const canned = useCannedChoice(text, insert);
  const names = useNaming(text, note, conversation, put);
  // One list at a time is open, because a word begins with one character.
  const offers = canned.pick ? canned : names.offers;
  const putIn = (words: string) => {
    const from = box.current?.selectionStart ?? text.length;
    const to = box.current?.selectionEnd ?? from;
    const [apart, blanks] = setApart(words, text.slice(0, from), text.slice(to));
    put(apart, from, to + blanks);
  };
  useTakesInserts(putIn);

  const assist = useAssist(conversation.id);
  const insertWhole = (words: string, asNote: boolean | null) => {
    const undo = () => {
      write(() => text);
      setNote(note);
      focus();
    };
    write(() => words);
    setNote(asNote ?? note);
    toast.done(helpTexts.inserted, { label: helpTexts.undo, onSelect: undo });
  };

  const tooLong = text.length * 3 > most && new TextEncoder().encode(text).length > most;
  const sendable = (text.trim() !== "" || ready.length > 0) && !tooLong && !uploads.busy && ready.length <= mostFiles && !names.tooMany;
  const goOn = useGoOn();
  const sendMessage = useSend(conversation);
  const send = (resolve: boolean) => {
    if (!sendable) return;
    sent();
    onTyping(false, note);
    sendMessage({ content: text.trim(), isPrivate: note, attachments: ready, mentions: names.mentions, begun: draft.begun, resolve });
    if (resolve || !note) goOn(resolve ? "resolved" : "replied");
  };
  const sendLater = (at: number, ifQuiet: boolean) => {
    const content = text.trim();
    const type = ready.length === 0 && hasMarkup(content) ? { contentType: "markdown" } : {};
    const body = { content, ...type, isPrivate: note, mentions: names.mentions, attachmentIds: ready.map(({ id }) => id), sendAt: new Date(at).toISOString(), ifQuiet };
    api
      .post(`/v1/dashboard/conversations/${conversation.id}/scheduled`, body)
      .then(() => {
        sent();
        onTyping(false, note);
        toast.done(laterTexts.scheduled(dayTime(at)));
      })
      .catch(toast.failed);
  };
  const key = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape") {
      if (offers.pick) offers.dismiss();
      else box.current?.blur();
      return;
    }
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) send(event.shiftKey);
    else if (!offers.key(event)) return;
    event.preventDefault();
  };
  const paste = (event: ClipboardEvent) => {
    if (event.clipboardData.files.length === 0) return;
    event.preventDefault();
    attach(event.clipboardData.files);
  };
  return (
    <div ref={root} className={cx(styles.composer, note && styles.note, dropping && styles.dropping)}>
      {assist.now && <AssistPanel assist={assist} onInsert={insertWhole} onLeave={() => requestAnimationFrame(focus)} />}
      <CannedList choice={canned} />
      <MentionList offers={names.offers} />
      <div className={styles.modes} role="radiogroup" aria-label={texts.composer.whatToWrite}>
        <Mode label={texts.composer.reply} checked={!note} onCheck={mode(false)} />
        <Mode label={texts.composer.privateNote} checked={note} onCheck={mode(true)} />
      </div>
      <textarea
        ref={box}
        className={styles.text}
        rows={2}
        value={text}
        dir="auto"
        aria-label={note ? texts.composer.privateNote : texts.composer.reply}
        aria-autocomplete="list"
        aria-controls={offers.pick ? offers.listId : undefined}
        aria-activedescendant={offers.pickId}
        placeholder={note ? texts.composer.notePlaceholder : texts.composer.replyPlaceholder(contactName(conversation.contact))}
        onChange={({ target }) => {
          write(() => target.value);
          canned.typed(target.selectionStart);
          names.offers.typed(target.selectionStart);
        }}
        onSelect={({ currentTarget }) => {
          canned.moved(currentTarget.selectionStart);
          names.offers.moved(currentTarget.selectionStart);
        }}
        onKeyDown={key}
        onPaste={paste}
      />
      <p className={styles.named} role="status">
        {names.hint}
      </p>
      <UploadList all={files} onRemove={uploads.remove} />
      <ComposerFoot
        note={note}
        hint={hintOf({ tooLong, dropping, full: files.length >= mostFiles, note })}
        attachable={files.length < mostFiles}
        sendable={sendable}
        onFiles={(given) => {
          attach(given);
          focus();
        }}
        onAnswer={(answer) => {
          const at = box.current?.selectionStart ?? text.length;
          insert(answer, at, at);
          canned.dismiss();
        }}
        onFind={() => setFinding(true)}
        onSend={send}
      >
        <SendLater sendable={sendable} note={note} onPick={sendLater} />
        <AssistMenu assist={assist} text={text} product={conversation.product !== null} />
      </ComposerFoot>
      {finding && <ArticleFinder conversation={conversation} onInsert={putIn} onClose={() => setFinding(false)} />}
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

function hintOf({ tooLong, dropping, full, note }: { tooLong: boolean; dropping: boolean; full: boolean; note: boolean }): string {
  if (tooLong) return texts.composer.tooLong;
  if (dropping) return texts.composer.drop;
  if (full) return texts.composer.full(mostFiles);
  return note ? texts.composer.noteHint : "";
}
