import { BookOpen, CircleCheck, Lock, MessageSquareQuote, Paperclip, SendHorizontal } from "lucide-react";
import { useRef, useState, type ReactNode } from "react";
import type { CannedAnswer } from "../api/types";
import { Button, IconButton, Picker } from "../kit";
import { useCommand, useNamedCommand } from "../shell/commands";
import { shortcuts } from "../shell/shortcuts";
import { useCannedAnswers } from "../sync";
import styles from "./Composer.module.css";
import { texts } from "./texts";

interface Props {
  note: boolean;
  hint: string;
  /** Another file can be attached. */
  attachable: boolean;
  sendable: boolean;
  onFiles: (files: Iterable<File>) => void;
  onAnswer: (answer: CannedAnswer) => void;
  onFind: () => void;
  onSend: (resolve: boolean) => void;
  /** More tools. */
  children: ReactNode;
}

/** The row below the text: files, canned answers, and the buttons that send. */
export function ComposerFoot({ note, hint, attachable, sendable, onFiles, onAnswer, onFind, onSend, children }: Props) {
  const answers = useCannedAnswers();
  const chooser = useRef<HTMLInputElement>(null);
  const choose = () => chooser.current?.click();
  useCommand("attach", attachable ? choose : null);
  useCommand("send", sendable ? () => onSend(false) : null, note ? texts.composerFoot.addNote : texts.composerFoot.send);
  useCommand("sendResolve", sendable ? () => onSend(true) : null, note ? texts.composerFoot.addNoteAndResolve : texts.composerFoot.sendAndResolve);
  const [choosing, setChoosing] = useState(false);
  useNamedCommand({ id: "canned", label: texts.composerFoot.cannedAnswers, group: shortcuts.reply.group, keys: "", run: () => setChoosing(true) });
  return (
    <div className={styles.foot}>
      <input
        ref={chooser}
        type="file"
        multiple
        hidden
        onChange={({ target }) => {
          onFiles(target.files ?? []);
          target.value = ""; // so that the same file can be chosen again
        }}
      />
      <IconButton size="sm" label={texts.composerFoot.attachFiles} shortcut="f" icon={<Paperclip size={16} />} disabled={!attachable} onClick={choose} />
      <Picker
        label={texts.composerFoot.cannedAnswers}
        open={choosing}
        setOpen={setChoosing}
        placeholder={texts.composerFoot.findCannedAnswer}
        choices={answers.map((answer) => ({ value: answer.id, label: `/${answer.shortcut}`, detail: answer.content.slice(0, 60) }))}
        value=""
        onChange={(id) => {
          const answer = answers.find((one) => one.id === id);
          if (answer) onAnswer(answer);
        }}
        button={<IconButton size="sm" label={texts.composerFoot.cannedAnswers} icon={<MessageSquareQuote size={16} />} />}
      />
      <IconButton size="sm" label={texts.composerFoot.findAnArticle} shortcut="h" icon={<BookOpen size={16} />} onClick={onFind} />
      {children}
      <span className={styles.hint} role="status">
        {hint}
      </span>
      <IconButton
        size="sm"
        label={note ? texts.composerFoot.addNoteAndResolve : texts.composerFoot.sendAndResolve}
        shortcut="Mod+Shift+Enter"
        icon={<CircleCheck size={16} />}
        disabled={!sendable}
        onClick={() => onSend(true)}
      />
      <Button variant="primary" size="sm" icon={note ? <Lock size={14} /> : <SendHorizontal size={14} />} disabled={!sendable} onClick={() => onSend(false)} title={texts.composerFoot.sendKeys}>
        {note ? texts.composerFoot.addNote : texts.composerFoot.send}
      </Button>
    </div>
  );
}
