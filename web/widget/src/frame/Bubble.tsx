import type { ComponentChild } from "preact";
import { fileAddress } from "../../../shared/files";
import { pieces } from "../../../shared/links";
import { markup, type Inline } from "../../../shared/markup";
import { Sources } from "./Agent";
import type { Chat } from "./chat";
import { File } from "./icons";
import type { LineState } from "./line";
import { Face } from "./parts";
import type { Pending } from "./state";
import type { Attachment, Message } from "./types";
import { phrase, size } from "./language";
import { clock } from "./words";

interface Props {
  message: Message;
  chat: Chat;
  /** The previous message is from the same sender, shortly before: no name, no picture. */
  joined: boolean;
  /** The last of such a group: the time is shown below it. */
  last: boolean;
  /** The address of a file has expired. */
  onBroken: () => void;
}

/** One message. Only what the team writes has markup, and only as these elements. */
export function Bubble({ message, chat, joined, last, onBroken }: Props) {
  if (message.from === "system") return <p class="system">{message.content}</p>;
  const team = message.from === "team";
  return (
    <article class={`message ${message.from}${joined ? " joined" : ""}`} aria-label={phrase("message.label", { who: team ? message.sender.name : phrase("you"), time: clock(message.createdAt) })}>
      {team && <div class="side">{!joined && <Face person={message.sender} />}</div>}
      <div class="column">
        {team && !joined && <span class="name">{message.sender.name}</span>}
        {message.content !== "" && (
          <div class="bubble" dir="auto">
            {team && message.contentType === "markdown" ? <Marked content={message.content} /> : <Words content={message.content} />}
          </div>
        )}
        <Files attachments={message.attachments} onBroken={onBroken} />
        <Sources message={message} chat={chat} />
        {last && (
          <span class="foot">
            <time dateTime={message.createdAt}>{clock(message.createdAt)}</time>
            {!team && message.status === "read" && ` · ${phrase("message.seen")}`}
          </span>
        )}
      </div>
    </article>
  );
}

/** The text of a message that cannot be drawn. */
export function PlainBubble({ message: { from, content } }: { message: Pick<Message, "from"> & { content?: unknown } }) {
  return (
    <article class={`message ${from}`}>
      <div class="column">
        <div class="bubble" dir="auto">
          {typeof content === "string" ? content : JSON.stringify(content)}
        </div>
      </div>
    </article>
  );
}

function Words({ content }: { content: string }) {
  return (
    <>
      {pieces(content).map((piece) =>
        piece.href ? (
          <a href={piece.href} target="_blank" rel="noopener noreferrer nofollow">
            {piece.text}
          </a>
        ) : (
          piece.text
        ),
      )}
    </>
  );
}

function Marked({ content }: { content: string }) {
  return (
    <>
      {markup(content).map((block) => {
        if (block.kind === "code") return <pre dir="ltr">{block.text}</pre>;
        if (block.kind === "quote") return <blockquote>{block.children.map(inline)}</blockquote>;
        if (block.kind === "text") return <div>{block.children.map(inline)}</div>;
        const items = block.items.map((item) => <li>{item.map(inline)}</li>);
        return block.ordered ? <ol start={block.start}>{items}</ol> : <ul>{items}</ul>;
      })}
    </>
  );
}

function inline(part: Inline): ComponentChild {
  if (typeof part === "string") return part;
  if (part.kind === "code") return <code>{part.text}</code>;
  if (part.kind !== "link") return part.kind === "strong" ? <strong>{part.children.map(inline)}</strong> : <em>{part.children.map(inline)}</em>;
  return (
    <a href={part.href} title={part.href} target="_blank" rel="noopener noreferrer nofollow">
      {part.text}
    </a>
  );
}

function Files({ attachments, onBroken }: { attachments: readonly Attachment[]; onBroken: () => void }) {
  return (
    <>
      {attachments.map((attachment) => (
        <Attached key={attachment.id} attachment={attachment} onBroken={onBroken} />
      ))}
    </>
  );
}

function Attached({ attachment, onBroken }: { attachment: Attachment; onBroken: () => void }) {
  const { url, fileName, contentType, width, height } = attachment;
  const href = fileAddress(url);
  const [kind] = contentType.split("/");
  if (href && kind === "image" && contentType !== "image/svg+xml") {
    return (
      <a href={href} target="_blank" rel="noopener noreferrer" class="picture">
        <img src={href} alt={fileName} width={width ?? undefined} height={height ?? undefined} loading="lazy" onError={onBroken} />
      </a>
    );
  }
  if (href && kind === "audio") return <audio controls preload="none" src={href} aria-label={fileName} />;
  if (href && kind === "video") return <video controls preload="metadata" src={href} aria-label={fileName} />;
  return (
    <a class="file" href={href} target="_blank" rel="noopener noreferrer">
      <File />
      <span>
        {fileName}
        <small>{size(attachment.size)}</small>
      </span>
    </a>
  );
}

/** A message that is being sent, or that was refused. */
export function PendingBubble({ pending, chat, line }: { pending: Pending; chat: Chat; line: LineState }) {
  return (
    <article class="message customer" aria-label={phrase("you")}>
      <div class="column">
        {pending.content !== "" && (
          <div class="bubble" dir="auto">
            <Words content={pending.content} />
          </div>
        )}
        {pending.attachments.map(({ id, fileName, size: bytes }) => (
          <span key={id} class="file">
            <File />
            <span>
              {fileName}
              <small>{size(bytes)}</small>
            </span>
          </span>
        ))}
        {pending.fault === "" ? (
          <span class="foot">{line === "offline" || line === "waiting" ? phrase("message.waits") : phrase("message.sending")}</span>
        ) : (
          <span class="foot fault" role="alert">
            {phrase("message.notSent", { fault: pending.fault })}{" "}
            <button type="button" onClick={() => chat.outbox.retry(pending.key)}>
              {phrase("again")}
            </button>{" "}
            <button type="button" onClick={() => chat.outbox.discard(pending.key)}>
              {phrase("message.discard")}
            </button>
          </span>
        )}
      </div>
    </article>
  );
}
