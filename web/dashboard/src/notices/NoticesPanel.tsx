import * as Ariakit from "@ariakit/react";
import { AlarmClockCheck, AtSign, Bell, Check, CheckCheck, MessageSquare, StickyNote, UserRound, X } from "lucide-react";
import { useLayoutEffect, useRef, useState, type KeyboardEvent, type RefObject } from "react";
import { Link, useLocation } from "wouter";
import type { Notice, NoticeKind } from "../api/types";
import { lastView } from "../inbox/lastview";
import { inboxAddress } from "../inbox/views";
import { Avatar, Button, buttonClass, cx, EmptyState, Kbd, RelativeTime, Segmented, SkeletonRows, useToast } from "../kit";
import { useMember, useNotices, useStore } from "../sync";
import styles from "./NoticesPanel.module.css";
import { texts } from "./texts";
import { causeOf, customerOf, wordsOf } from "./words";

type Shown = "all" | "unread" | "mentions";

const kinds: Record<NoticeKind, typeof Bell> = { mentioned: AtSign, assigned: UserRound, answered: MessageSquare, note: StickyNote, woke: AlarmClockCheck };

/** What the member is told, the latest first. */
export function NoticesPanel({ open, onClose }: { open: boolean; onClose: () => void }) {
  const first = useRef<HTMLElement>(null);
  return (
    <Ariakit.Dialog open={open} onClose={onClose} unmountOnHide backdrop={<div className={styles.backdrop} />} className={styles.panel} initialFocus={first}>
      <Content first={first} onClose={onClose} />
    </Ariakit.Dialog>
  );
}

interface ContentProps {
  /** Receives the first notice, which has the focus when the list opens. */
  first: RefObject<HTMLElement | null>;
  onClose: () => void;
}

function Content({ first, onClose }: ContentProps) {
  const { notices } = useStore();
  const told = useNotices();
  const toast = useToast();
  const [shown, setShown] = useState<Shown>("all");
  const { own, title, nothing } = {
    all: { own: () => true, title: texts.none, nothing: texts.noneSaid },
    unread: { own: ({ readAt }: Notice) => readAt === null, title: texts.nothingUnread, nothing: "" },
    mentions: { own: ({ kind }: Notice) => kind === "mentioned", title: texts.noMentions, nothing: texts.old },
  }[shown];
  const items = told?.items.filter(own) ?? [];
  const read = (ids: readonly string[] | "all") => void notices.markRead(ids).catch(toast.failed);
  const unread = told?.unread ?? 0;
  const key = (event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== "e" || !event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    if (unread > 0) read("all");
  };
  return (
    <div className={styles.content} onKeyDown={key}>
      <header className={styles.head}>
        <Ariakit.DialogHeading className={styles.title}>{texts.title}</Ariakit.DialogHeading>
        <Button size="sm" variant="ghost" icon={<CheckCheck size={15} />} disabled={unread === 0} onClick={() => read("all")}>
          {texts.readAll}
        </Button>
        {/* No tooltip: it would open with the list, and consume its Escape. */}
        <button type="button" aria-label={texts.close} className={cx(buttonClass("ghost"), styles.close)} onClick={onClose}>
          <X size={16} />
        </button>
      </header>
      <div className={styles.which}>
        <Segmented
          label={texts.show}
          options={[
            { value: "all", label: texts.all },
            { value: "unread", label: texts.onlyUnread },
            { value: "mentions", label: texts.mentions },
          ]}
          value={shown}
          onChange={setShown}
        />
      </div>
      {!told ? (
        <SkeletonRows count={4} />
      ) : items.length === 0 ? (
        <EmptyState icon={<Bell size={20} />} title={title}>
          {nothing}
        </EmptyState>
      ) : (
        <Items key={shown} first={first} items={items} onRead={(id) => read([id])} onClose={onClose} />
      )}
      <footer className={styles.keys} aria-hidden="true">
        <Kbd keys="j" /> <Kbd keys="k" /> {texts.toChoose} · <Kbd keys="Enter" /> {texts.open} · <Kbd keys="e" /> {texts.read}
      </footer>
    </div>
  );
}

const moves: Record<string, (at: number, last: number) => number> = {
  ArrowDown: (at, last) => Math.min(last, at + 1),
  j: (at, last) => Math.min(last, at + 1),
  ArrowUp: (at) => Math.max(0, at - 1),
  k: (at) => Math.max(0, at - 1),
  Home: () => 0,
  End: (_, last) => last,
};

interface ItemsProps extends Pick<ContentProps, "first" | "onClose"> {
  items: readonly Notice[];
  onRead: (id: string) => void;
}

/** The list is one tab stop. It stays at its notice while others come and go. */
function Items({ first, items, onRead, onClose }: ItemsProps) {
  const list = useRef<HTMLUListElement>(null);
  const [stop, setStop] = useState(items[0]?.id ?? "");
  const at = Math.max(
    0,
    items.findIndex(({ id }) => id === stop),
  );
  useLayoutEffect(() => {
    first.current = list.current?.querySelector("a") ?? null;
  }, [first]);
  const linkAt = (index: number) => list.current?.querySelectorAll<HTMLElement>("a")[index];
  const key = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const move = moves[event.key];
    const notice = items[at];
    if (move) {
      event.preventDefault();
      linkAt(move(at, items.length - 1))?.focus();
    } else if (event.key === "e" && notice?.readAt === null) {
      event.preventDefault();
      onRead(notice.id);
      // Its button is gone, and in the list of unread ones so is the notice.
      (linkAt(at + 1) ?? linkAt(at))?.focus();
    }
  };
  return (
    <ul ref={list} className={styles.list} aria-label={texts.title} onKeyDown={key}>
      {items.map((notice, index) => (
        <Item key={notice.id} notice={notice} isStop={index === at} onStop={() => setStop(notice.id)} onRead={() => onRead(notice.id)} onClose={onClose} />
      ))}
    </ul>
  );
}

interface ItemProps {
  notice: Notice;
  isStop: boolean;
  onStop: () => void;
  onRead: () => void;
  onClose: () => void;
}

function Item({ notice, isStop, onStop, onRead, onClose }: ItemProps) {
  const { kind, conversationId, messageId, text, updatedAt, readAt, actor } = notice;
  const [, navigate] = useLocation();
  const member = useMember(actor.type === "member" ? actor.id : "");
  const href = inboxAddress(lastView(), conversationId, messageId ?? undefined);
  const Icon = kinds[kind];
  const tabIndex = isStop ? 0 : -1;
  const open = () => {
    if (readAt === null) onRead();
    onClose();
    navigate(href);
  };
  return (
    <li className={cx(styles.item, readAt === null && styles.unread)} onFocus={onStop}>
      <Link
        href={href}
        className={styles.link}
        tabIndex={tabIndex}
        onClick={(event) => {
          event.preventDefault();
          open();
        }}
      >
        <span className={styles.face}>
          <Avatar id={actor.type === "member" ? actor.id : (notice.contactId ?? "")} name={causeOf(notice) || customerOf(notice)} image={member?.image ?? null} size={30} />
          <span className={styles.kind}>
            <Icon size={11} aria-hidden />
          </span>
        </span>
        <span className={styles.words}>
          <span className={styles.first}>
            {readAt === null && <span className="visually-hidden">{texts.unread}: </span>}
            <b>{wordsOf(notice)}</b>
            <span className={styles.when}>
              <RelativeTime at={updatedAt} />
            </span>
          </span>
          {causeOf(notice) !== customerOf(notice) && <span className={styles.with}>{texts.in(customerOf(notice))}</span>}
          {text !== "" && (
            <span className={styles.text} dir="auto">
              {text}
            </span>
          )}
        </span>
      </Link>
      {readAt === null && (
        <button type="button" className={styles.read} aria-label={texts.read} title={texts.read} tabIndex={tabIndex} onClick={onRead}>
          <span className={styles.dot} />
          <Check size={15} aria-hidden />
        </button>
      )}
    </li>
  );
}
