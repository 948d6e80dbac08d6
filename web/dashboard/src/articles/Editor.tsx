import { useEffect, useRef, useState, type ClipboardEvent, type KeyboardEvent, type RefObject } from "react";
import { ApiError } from "../api/client";
import { fieldText } from "../api/sentences";
import { cx, useAutoHeight, useToast } from "../kit";
import { useDrop } from "../inbox/useDrop";
import { useCommand } from "../shell/commands";
import css from "./Editor.module.css";
import { continued, formatted, pastedLink, pictureText, type Edit, type Format } from "./format";
import { pictureFault, uploadPicture } from "./pictures";
import type { Text, TextSession } from "./session";
import { texts } from "./texts";
import { Toolbar } from "./Toolbar";

/** The limit of a body, in bytes of UTF-8. */
const most = 256 * 1024;

interface Props {
  articleId: string;
  language: string;
  session: TextSession;
  text: Text;
}

/** The fields of a text. */
export function Editor({ articleId, language, session, text }: Props) {
  const { content, phase, error } = text;
  const box = useRef<HTMLTextAreaElement>(null);
  const title = useRef<HTMLTextAreaElement>(null);
  const busy = phase === "loading";
  const insertPictures = usePictures(articleId, session, box);
  const zone = useRef<HTMLDivElement>(null);
  const dropping = useDrop(zone, (files) => insertPictures([...files]));
  useAutoHeight(title, content.title);
  useEffect(() => {
    // A new article has nothing but a title.
    if (phase === "ready" && session.text.get().content.body === "") box.current?.focus({ preventScroll: true });
  }, [phase, session]);
  const format = (name: Format) => () => {
    const area = box.current;
    if (!area) return;
    area.focus();
    apply(area, formatted(area.value, area.selectionStart, area.selectionEnd, name));
  };
  useFormats(format, () => void session.save());
  const key = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing) return;
    const area = event.currentTarget;
    const { value, selectionStart: start, selectionEnd: end } = area;
    if (event.key === "Escape") return area.blur();
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k" && start !== end) {
      event.preventDefault();
      return apply(area, formatted(value, start, end, "link"));
    }
    if (event.key !== "Enter" || event.ctrlKey || event.metaKey || event.shiftKey || start !== end) return;
    const edit = continued(value, start);
    if (!edit) return;
    event.preventDefault();
    apply(area, edit);
  };
  const paste = (event: ClipboardEvent<HTMLTextAreaElement>) => {
    const area = event.currentTarget;
    if (event.clipboardData.files.length > 0) {
      event.preventDefault();
      return insertPictures([...event.clipboardData.files]);
    }
    const edit = pastedLink(area.value, area.selectionStart, area.selectionEnd, event.clipboardData.getData("text"));
    if (!edit) return;
    event.preventDefault();
    apply(area, edit);
  };
  const tooLong = content.body.length * 3 > most && new TextEncoder().encode(content.body).length > most;
  const fault = (name: string) => (error instanceof ApiError && name in error.fields ? fieldText(error, name) : undefined);
  return (
    <section className={cx(css.editor, dropping && css.dropping)} aria-label={texts.editor.write} aria-busy={busy}>
      <div ref={zone} className={css.fields}>
        <textarea
          ref={title}
          className={css.titleField}
          rows={1}
          lang={language}
          dir="auto"
          aria-label={texts.editor.title}
          aria-invalid={fault("title") ? true : undefined}
          placeholder={texts.editor.titlePlaceholder}
          maxLength={200}
          readOnly={busy}
          value={content.title}
          onChange={({ target }) => session.change({ title: target.value.replaceAll("\n", " ") })}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
            event.preventDefault();
            box.current?.focus();
          }}
        />
        <input
          className={css.descriptionField}
          lang={language}
          dir="auto"
          aria-label={texts.editor.description}
          placeholder={texts.editor.descriptionPlaceholder}
          maxLength={300}
          readOnly={busy}
          value={content.description}
          onChange={({ target }) => session.change({ description: target.value })}
        />
        {[fault("title"), fault("description"), tooLong ? texts.editor.tooLong : fault("body"), fault("keywords")].map(
          (said, index) =>
            said && (
              <p key={index} className={css.fault} role="alert">
                {said}
              </p>
            ),
        )}
      </div>
      <Toolbar onFormat={format} onPictures={insertPictures} />
      <textarea
        ref={box}
        className={css.bodyField}
        lang={language}
        dir="auto"
        aria-label={texts.editor.body}
        placeholder={texts.editor.bodyPlaceholder}
        readOnly={busy}
        value={content.body}
        onChange={({ target }) => session.change({ body: target.value })}
        onKeyDown={key}
        onPaste={paste}
      />
      {dropping && <p className={css.dropHint}>{texts.editor.dropPicture}</p>}
    </section>
  );
}

function useFormats(format: (name: Format) => () => void, save: () => void) {
  useCommand("bold", format("bold"));
  useCommand("italic", format("italic"));
  useCommand("code", format("code"));
  useCommand("link", format("link"));
  useCommand("heading", format("heading"));
  useCommand("bullets", format("bullets"));
  useCommand("numbers", format("numbers"));
  useCommand("saveText", save);
}

/** Replaces a part of a field as if it was typed, so that the browser can undo it. */
function apply(area: HTMLTextAreaElement, { from, to, text, select: [start, end] }: Edit) {
  area.setSelectionRange(from, to);
  // No other way of changing a field keeps what can be undone.
  const done = text === "" ? from === to || document.execCommand("delete") : document.execCommand("insertText", false, text);
  if (!done) {
    area.setRangeText(text, from, to);
    area.dispatchEvent(new Event("input", { bubbles: true }));
  }
  area.setSelectionRange(start, end);
}

/** Inserts pictures at the caret: first a line that says so, then, once it is uploaded, the picture. */
function usePictures(articleId: string, session: TextSession, box: RefObject<HTMLTextAreaElement | null>) {
  const toast = useToast();
  const [abort] = useState(() => new AbortController());
  useEffect(() => () => abort.abort(), [abort]);
  const insert = async (file: File) => {
    const fault = pictureFault(file);
    if (fault) return void toast.failed(new Error(fault));
    const area = box.current;
    if (!area) return;
    const waiting = `![${texts.editor.uploading(file.name.replace(/[[\]\\]/g, ""))}](#${crypto.randomUUID()})`;
    const [from, to] = [area.selectionStart, area.selectionEnd];
    const before = area.value.slice(0, from);
    const lead = before === "" || before.endsWith("\n\n") ? "" : before.endsWith("\n") ? "\n" : "\n\n";
    const tail = area.value[to] === "\n" ? "\n" : "\n\n";
    const end = from + lead.length + waiting.length + tail.length;
    const release = session.holdSaving();
    area.focus();
    apply(area, { from, to, text: lead + waiting + tail, select: [end, end] });
    const swap = (made: string) => session.change({ body: session.text.get().content.body.replace(waiting, () => made) });
    try {
      const { path } = await uploadPicture(articleId, file, abort.signal);
      swap(pictureText(file.name, path));
    } catch (error) {
      swap("");
      if (!abort.signal.aborted) toast.failed(error);
    } finally {
      release();
    }
  };
  return (files: readonly File[]) => files.forEach((file) => void insert(file));
}
