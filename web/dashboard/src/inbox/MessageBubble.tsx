import { Bot, Check, CheckCheck, CircleAlert, Clock, Lock } from "lucide-react";
import { memo } from "react";
import type { ContactRef, Member, Message } from "../api/types";
import { Avatar, chunk, clockTime, cx, fullTime, plainText } from "../kit";
import { useMember } from "../sync";
import { AttachedFile } from "./AttachedFile";
import styles from "./Conversation.module.css";
import { contactName } from "./Row";
import { texts } from "./texts";
import { NoteWords, Words } from "./Words";

interface Props {
  message: Message;
  /** The previous message is from the same sender, shortly before: no name, no picture. */
  joined: boolean;
  contact: ContactRef;
  /** The message that a search result links to. */
  sought: boolean;
  /** It is the first message of the conversation, which stays when that is split. */
  first: boolean;
}

const SplitHere = chunk(() => import("./SplitHere").then((m) => m.SplitHere));

/** One message. Only what the team writes has markup: what a customer writes is text, whatever its type. */
export const MessageBubble = memo(function MessageBubble({ message, joined, contact, sought, first }: Props) {
  const member = useMember(message.senderType === "agent" ? message.senderId : "");
  if (message.senderType === "system" || message.contentType === "system") {
    return (
      <p className={cx(styles.system, sought && styles.sought)} data-message={message.id}>
        <Words content={message.content} marked={false} /> · <time dateTime={message.createdAt}>{clockTime(message.createdAt)}</time>
      </p>
    );
  }
  const out = message.messageType === "outgoing";
  const name = senderName(message, member, contact);
  const bot = message.senderType === "bot";
  return (
    <article
      className={cx(styles.message, out ? styles.out : styles.in, joined && styles.joined, sought && styles.sought)}
      data-message={message.id}
      aria-current={sought || undefined}
      aria-label={(message.isPrivate ? texts.messageBubble.noteBy : texts.messageBubble.messageFrom)(name, fullTime(message.createdAt))}
    >
      <div className={styles.face}>
        {!joined && (bot ? <Bot size={22} aria-hidden /> : <Avatar id={message.senderId || contact.id} name={name} image={member?.image ?? message.sender.image} size={26} />)}
      </div>
      <div className={styles.column}>
        {!joined && (
          <div className={styles.sender}>
            {message.isPrivate && <Lock size={12} aria-hidden />}
            <strong>{name}</strong>
            {message.isPrivate && <span>{texts.messageBubble.privateNote}</span>}
          </div>
        )}
        {message.content !== "" && (
          <div className={cx(styles.bubble, message.isPrivate ? styles.note : bot && styles.bot)} dir="auto">
            <Said message={message} marked={out && message.contentType === "markdown"} whole={sought} />
          </div>
        )}
        {message.attachments.map((attachment) => (
          <AttachedFile key={attachment.id} attachment={attachment} conversationId={message.conversationId} />
        ))}
        <Sources message={message} />
        <div className={cx(styles.foot, message.status === "failed" && styles.failed)}>
          <time dateTime={message.createdAt} title={fullTime(message.createdAt)}>
            {clockTime(message.createdAt)}
          </time>
          {out && !message.isPrivate && <Ticks message={message} />}
          {!first && <SplitHere id={message.id} />}
        </div>
      </div>
    </article>
  );
});

/** Messages of earlier versions have none. */
function mentionsOf({ mentions }: Partial<Message>): readonly string[] {
  return mentions ?? [];
}

function Said({ message, ...rest }: { message: Message; marked: boolean; whole: boolean }) {
  const mentions = mentionsOf(message);
  return mentions.length > 0 ? <NoteWords content={message.content} mentions={mentions} {...rest} /> : <Words content={message.content} {...rest} />;
}

/** The articles that an answer of the automated agent rests on. */
function Sources({ message }: { message: Message }) {
  const { agent }: Partial<Message> = message; // messages of earlier versions have none
  if (!agent || (agent.sources.length === 0 && !agent.helped)) return null;
  return (
    <div className={styles.foot}>
      {agent.sources.length > 0 && texts.agent.sources}
      {agent.sources.map(({ articleId, title, url }) =>
        url.startsWith("/help/") ? (
          <a key={articleId} href={url} target="_blank" rel="noopener noreferrer">
            {title}
          </a>
        ) : (
          <span key={articleId}>{title}</span>
        ),
      )}
      {agent.helped && texts.agent.helped}
    </div>
  );
}

function senderName(message: Message, member: Member | undefined, contact: ContactRef): string {
  if (message.senderType === "agent") return member?.name ?? message.sender.name;
  if (message.senderType === "bot") return message.sender.name || texts.messageBubble.automatedAgent;
  return message.senderId === contact.id ? contactName(contact) : message.sender.name || contactName(contact);
}

/** The delivery state of an outgoing message. */
function Ticks({ message }: { message: Message }) {
  switch (message.status) {
    case "queued":
      return <Clock size={13} role="img" aria-label={texts.messageBubble.queued} />;
    case "sent":
      return <Check size={14} role="img" aria-label={texts.messageBubble.sent} />;
    case "delivered":
      return <CheckCheck size={14} role="img" aria-label={texts.messageBubble.delivered} />;
    case "read":
      return <CheckCheck size={14} role="img" aria-label={texts.messageBubble.read} color="var(--c-info-text)" />;
    case "failed":
      return (
        <>
          <CircleAlert size={13} aria-hidden />
          {texts.messageBubble.notDelivered}
          {message.error ? `: ${message.error}` : ""}
        </>
      );
  }
}

/** The text of a message that cannot be rendered. */
export function PlainBubble({ content }: { content: unknown }) {
  return (
    <article className={cx(styles.message, styles.in)} aria-label={texts.messageBubble.plain}>
      <div className={styles.column}>
        <div className={styles.bubble} dir="auto">
          {plainText(content)}
        </div>
      </div>
    </article>
  );
}
