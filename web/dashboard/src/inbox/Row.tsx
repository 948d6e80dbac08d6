import { AlarmClock, Bot, Check, CircleCheck, Clock, Lock, Reply } from "lucide-react";
import { memo, type MouseEvent, type ReactNode } from "react";
import { Link } from "wouter";
import type { ContactRef, MessagePreview } from "../api/types";
import { Avatar, Badge, clockTime, cx, dayTime, fullTime, LabelChip, OrPlain, plainText, RelativeTime, rowClass, shortDate, shortSpan, Skeleton, useNow } from "../kit";
import { contactName } from "../people/names";
import { useConversation, useDraftMark, useLabelColor, useMe, usePreview, useStanding, useUnread } from "../sync";
import { channelIcon, inboxName } from "./channel";
import { texts as selecting } from "./bulk.texts";
import { draftOf } from "./drafts";
import styles from "./List.module.css";
import { previewText } from "./preview";
import { PriorityIcon } from "./Priority";
import { sleepsUntil } from "./Snooze";
import { texts as snoozing } from "./snooze.texts";
import { texts } from "./texts";

export { contactName };

interface Props {
  id: string;
  href: string;
  open: boolean;
  cursor: boolean;
  /** Everything in one line. */
  compact: boolean;
  /** It no longer belongs to the list, which stays as it was for now. */
  gone: boolean;
  selected: boolean;
  /** Selects it, or no longer; with `range`, all from the one selected before. */
  onSelect: (id: string, range: boolean) => void;
}

/** One conversation of a list. */
export const Row = memo(function Row({ id, href, open, cursor, compact, gone, selected, onSelect }: Props) {
  const me = useMe();
  const conversation = useConversation(id);
  const preview = usePreview(id);
  const standing = useStanding(id);
  const unread = useUnread(id);
  const color = useLabelColor();
  const mark = useDraftMark(id);
  if (!conversation) return null;
  const { contact, unreadCount, labels, assignee, priority, inbox, product, team, status } = conversation;
  const until = sleepsUntil(conversation);
  // Captured, because Link leaves clicks with Shift to the browser.
  const click = (event: MouseEvent) => {
    if (!event.shiftKey && !(event.target instanceof Element && event.target.closest("[data-select]"))) return;
    event.preventDefault();
    onSelect(id, event.shiftKey);
  };
  return (
    <Link
      onClickCapture={click}
      href={href}
      className={cx(rowClass, styles.row, selected && styles.selected, compact && styles.compact, unread && styles.unread, gone && styles.gone)}
      aria-current={open || undefined}
      data-cursor={cursor}
      data-row={id}
    >
      <span data-select className={styles.face}>
        {selected ? (
          <span className={styles.check} style={{ width: compact ? 26 : 34 }}>
            <Check size={16} aria-hidden />
            <span className="visually-hidden">{selecting.isSelected} </span>
          </span>
        ) : (
          <Avatar id={contact.id} name={contactName(contact)} size={compact ? 26 : 34} />
        )}
      </span>
      <div className={styles.text}>
        <div className={styles.line}>
          <span className={styles.name}>{contactName(contact)}</span>
          <span className={styles.time}>
            <RelativeTime at={conversation.lastActivityAt} />
          </span>
        </div>
        <div className={styles.preview}>
          {standing === "unsent" ? <strong className={styles.unsent}>{texts.row.notSent}</strong> : standing === "sending" ? <strong>{texts.row.sending}</strong> : null}
          <Preview message={preview} draft={draftOf(me.id, id) || (mark && (mark.preview || "…"))} />
          {gone && <span className="visually-hidden">{texts.row.gone} </span>}
          {unread && <UnreadBadge count={unreadCount} />}
        </div>
        <div className={styles.meta}>
          {status === "pending" && (until ? <AlarmClock size={13} aria-label={snoozing.snoozed(dayTime(until))} /> : <Clock size={13} aria-label={texts.row.pending} />)}
          {status === "resolved" && <CircleCheck size={13} aria-label={texts.row.resolved} />}
          <span className={styles.where}>
            {channelIcon(inbox.channelType, 12)}
            <span>{[product?.name ?? inboxName(inbox), ...(team ? [team.name] : [])].join(" · ")}</span>
          </span>
          {labels.slice(0, 2).map((label) => (
            <LabelChip key={label} name={label} color={color(label)} />
          ))}
          {labels.length > 2 && <span className={styles.more}>+{labels.length - 2}</span>}
          <span className={styles.push}>
            {conversation.wokeAt && <Back since={conversation.wokeAt} />}
            {conversation.waitingSince && status !== "resolved" && <Waiting since={conversation.waitingSince} />}
            {priority && <PriorityIcon priority={priority} />}
            {assignee && (
              <span title={texts.row.assignedTo(assignee.name)}>
                <Avatar id={assignee.id} name={assignee.name} image={assignee.image} size={18} />
                <span className="visually-hidden">{texts.row.assignedTo(assignee.name)}</span>
              </span>
            )}
          </span>
        </div>
      </div>
    </Link>
  );
});

/** The number of messages that are new to the team; a dot if another member has seen them, but not this one. */
function UnreadBadge({ count }: { count: number }) {
  if (count === 0) return <span className={styles.dot} role="img" aria-label={texts.row.unread} />;
  return (
    <Badge tone="count">
      {count > 99 ? "99+" : count}
      <span className="visually-hidden"> {texts.row.unreadHidden}</span>
    </Badge>
  );
}

/** How long the customer has been waiting for an answer. */
function Waiting({ since }: { since: string }) {
  const span = shortSpan(Date.parse(since), useNow());
  if (span === "") return null;
  return (
    <time dateTime={since} title={texts.row.waitingSince(fullTime(since))}>
      {texts.row.waiting(span)}
    </time>
  );
}

/** Since when the conversation is back from its sleep. */
function Back({ since }: { since: string }) {
  const text = new Date(since).toDateString() === new Date(useNow()).toDateString() ? clockTime(since) : shortDate(since);
  return (
    <time dateTime={since} title={snoozing.back(fullTime(since))}>
      {snoozing.back(text)}
    </time>
  );
}

/** A row, or a plain link to its conversation if the row cannot be rendered. */
export function OrPlainRow({ id, href, open, children }: { id: string; href: string; open: boolean; children: ReactNode }) {
  const conversation = useConversation(id);
  const contact: Partial<ContactRef> | undefined = conversation?.contact;
  const plain = (
    <Link href={href} className={cx(rowClass, styles.row)} aria-current={open || undefined} data-row={id}>
      <span className={styles.text}>{plainText(contact?.name) || texts.row.conversation}</span>
    </Link>
  );
  return (
    <OrPlain of={conversation} plain={plain}>
      {children}
    </OrPlain>
  );
}

function Preview({ message, draft }: { message: MessagePreview | null | undefined; draft: string | undefined }) {
  if (draft) return <span>{texts.row.draft(draft)}</span>;
  if (message === undefined) return <Skeleton width="80%" height="0.75em" />;
  if (message === null) return <span>{texts.row.noMessagesYet}</span>;
  const text = previewText(message) || message.contentType;
  const icon = message.isPrivate ? (
    <Lock size={12} aria-label={texts.row.privateNote} />
  ) : message.senderType === "bot" ? (
    <Bot size={13} aria-label={texts.row.automatedAgent} />
  ) : message.messageType === "outgoing" && message.senderType !== "system" ? (
    <Reply size={13} aria-label={texts.row.reply} />
  ) : null;
  return (
    <>
      {icon}
      <span>{text.slice(0, 160)}</span>
    </>
  );
}
