import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { TargetedClipboardEvent, TargetedKeyboardEvent } from "preact";
import { fileFault, mostFiles } from "../../../shared/files";
import { faultText } from "./api";
import type { Chat } from "./chat";
import { Clip, File as FileIcon, Remove, Send } from "./icons";
import type { Attachment } from "./types";
import { Suggestions } from "./Suggestions";
import { coarse, useArrival } from "./useArrival";
import { phrase, size } from "./language";

/** A chosen file: uploading, uploaded or refused. */
interface Chosen {
  key: number;
  name: string;
  share: number;
  attachment: Attachment | null;
  fault: string;
  abort: AbortController;
}

/** The field in which the customer writes. The text survives a change of the page. */
export function Composer({ chat, id, open }: { chat: Chat; id: string | null; open: boolean }) {
  const [text, setText] = useState(() => chat.drafts.of(id));
  const { files, add, remove, clear } = useFiles(chat);
  const field = useArrival<HTMLTextAreaElement>(open, !coarse);
  const picker = useRef<HTMLInputElement>(null);
  const ready = files.flatMap(({ attachment }) => (attachment ? [attachment] : []));
  const uploading = files.some(({ attachment, fault }) => !attachment && fault === "");
  const sendable = !uploading && (text.trim() !== "" || ready.length > 0);

  useLayoutEffect(() => {
    const element = field.current;
    if (!element) return;
    element.style.height = "auto";
    element.style.height = `${Math.min(element.scrollHeight, 140)}px`;
  }, [text, field]);

  const write = (next: string) => {
    setText(next);
    chat.drafts.keep(id, next);
  };
  const send = () => {
    if (!sendable) return;
    chat.outbox.send(id, text.trim(), ready);
    write("");
    clear();
    field.current?.focus();
  };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLTextAreaElement>) => {
    // An Enter that ends the composition of a character (Japanese, Chinese) does not send.
    if (event.key !== "Enter" || event.isComposing || event.shiftKey || (coarse && !event.ctrlKey && !event.metaKey)) return;
    event.preventDefault();
    send();
  };
  const onPaste = (event: TargetedClipboardEvent<HTMLTextAreaElement>) => {
    const pasted = event.clipboardData ? Array.from(event.clipboardData.files) : [];
    if (pasted.length === 0) return;
    event.preventDefault();
    add(pasted);
  };
  const first = id === null && (chat.state.config?.articles ?? false);
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        add(event.dataTransfer ? Array.from(event.dataTransfer.files) : []);
      }}
    >
      {first && <Suggestions chat={chat} text={text} />}
      {files.length > 0 && (
        <ul class="chosen" aria-label={phrase("composer.files")}>
          {files.map((file) => (
            <li key={file.key} class={file.fault ? "fault" : ""}>
              <FileIcon />
              <span>
                <span class="filename">{file.name}</span>
                {file.fault ? <small role="alert">{file.fault}</small> : !file.attachment && <progress value={file.share} aria-label={phrase("composer.sending", { name: file.name })} />}
              </span>
              <button type="button" class="icon small" aria-label={phrase("composer.remove", { name: file.name })} onClick={() => remove(file.key)}>
                <Remove />
              </button>
            </li>
          ))}
        </ul>
      )}
      <div class="write">
        <input
          ref={picker}
          type="file"
          multiple
          hidden
          onChange={(event) => {
            add(Array.from(event.currentTarget.files ?? []));
            event.currentTarget.value = "";
          }}
        />
        <button type="button" class="icon" aria-label={phrase("composer.attach")} onClick={() => picker.current?.click()}>
          <Clip />
        </button>
        <textarea
          ref={field}
          rows={1}
          aria-label={phrase("composer.message")}
          placeholder={phrase("composer.placeholder")}
          dir={text === "" ? undefined : "auto"} // so that the placeholder has that of the chat
          value={text}
          onInput={(event) => write(event.currentTarget.value)}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
        />
        <button type="submit" class="send" aria-label={phrase("composer.send")} aria-disabled={!sendable}>
          <Send />
        </button>
      </div>
    </form>
  );
}

/** The largest file as customers read it, in bytes; the server takes a little more. */
const roundLimit = 25_000_000;

/** Why a file cannot be sent; "" if it can. */
function faultOf(file: File): string {
  const fault = fileFault(file);
  if (!fault) return "";
  return fault === "large" ? phrase("files.large", { size: size(file.size), most: size(roundLimit) }) : phrase("files.empty");
}

function useFiles(chat: Chat) {
  const [files, setFiles] = useState<readonly Chosen[]>([]);
  const next = useRef(1);
  const change = (key: number, to: Partial<Chosen>) => setFiles((old) => old.map((file) => (file.key === key ? { ...file, ...to } : file)));
  const add = (chosen: readonly File[]) => {
    const room = mostFiles - files.length;
    const begun = chosen.slice(0, room).map((file) => ({ key: next.current++, file, abort: new AbortController() }));
    setFiles((old) => [...old, ...begun.map(({ key, file, abort }) => ({ key, name: file.name, share: 0, attachment: null, fault: faultOf(file), abort }))]);
    for (const { key, file, abort } of begun) {
      if (fileFault(file)) continue;
      chat.outbox
        .upload(file, abort.signal, (share) => change(key, { share }))
        .then(
          (attachment) => change(key, { attachment }),
          (error: unknown) => change(key, { fault: faultText(error) }),
        );
    }
  };
  const remove = (key: number) => {
    files.find((file) => file.key === key)?.abort.abort();
    setFiles((old) => old.filter((file) => file.key !== key));
  };
  return { files, add, remove, clear: () => setFiles([]) };
}
