import { ArrowDown } from "lucide-react";
import { Fragment, useCallback, useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState, type RefObject } from "react";
import { useLocation } from "wouter";
import type { Conversation, Message } from "../api/types";
import { Button, chunk, clockTime, dayName, EmptyState, ErrorState, OrPlain, SkeletonRows, Spinner, useNow } from "../kit";
import { useCustomerTyping, useMe, useReading, useStore, useWaiting, type MessageLog } from "../sync";
import type { Line } from "./history";
import styles from "./Conversation.module.css";
import { Greeting } from "./Greeting";
import { MessageBubble, PlainBubble } from "./MessageBubble";
import { contactName } from "./Row";
import { texts } from "./texts";
import { useHistory, type History } from "./useHistory";
import { WaitingBubble } from "./WaitingBubble";

const LineActs = chunk(() => import("./LineActs").then((m) => m.LineActs));

interface Props {
  conversation: Conversation;
  log: MessageLog;
  error: unknown;
  /** The message to open at; null for the newest. */
  message: string | null;
  /** The address of the conversation at its newest message. */
  newest: string;
  /** Receives the messages that are taken back. */
}

/** Messages of one sender within five minutes are grouped. */
const together = 5 * 60_000;

/**
 * The messages, newest at the bottom. Scrolling up loads older ones; from a message of the past, scrolling down loads
 * later ones.
 */
export function Messages({ conversation, log, error, message: target, newest }: Props) {
  const store = useStore();
  const me = useMe();
  const now = useNow();
  const waiting = useWaiting(conversation.id);
  const loading = useReading(`messages:${conversation.id}`) === "loading";
  const typing = useCustomerTyping(conversation.id);
  const [, navigate] = useLocation();
  const history = useHistory(conversation.id);
  const { scroller, atEnd, toEnd } = useStayAtEnd(log, `${waiting.map(({ stand }) => stand.is).join()} ${typing} ${history?.lines.length ?? 0}`, target);
  const top = useRef<HTMLDivElement>(null);
  const bottom = useRef<HTMLDivElement>(null);
  const older = useCallback(() => void store.loadOlder(conversation.id), [store, conversation.id]);
  const later = useCallback(() => void store.loadLater(conversation.id), [store, conversation.id]);
  useNearing(top, scroller, log.more, log.items.length, older);
  useNearing(bottom, scroller, log.later, log.items.length, later);
  const toNewest = useCallback(() => {
    toEnd();
    if (!log.later) return;
    navigate(newest, { replace: true });
    if (target === null) void store.loadMessages(conversation.id);
  }, [toEnd, log.later, newest, target, navigate, store, conversation.id]);
  // After sending, scroll to where the message will appear.
  const sending = useRef(waiting.length);
  const sent = useEffectEvent(toNewest);
  useEffect(() => {
    if (waiting.length > sending.current) sent();
    sending.current = waiting.length;
  }, [waiting.length]);
  const days = useMemo(() => byDay(withLines(log, history)), [log, history]);
  if (!log.loaded) {
    return <div className={styles.scroll}>{error ? <ErrorState error={error} onRetry={() => void store.loadMessages(conversation.id)} /> : <SkeletonRows count={5} />}</div>;
  }
  return (
    <div className={styles.scroll} ref={scroller} tabIndex={0} role="log" aria-label={texts.messages.messages} aria-live="polite">
      <div ref={top} className={styles.older}>
        {loading && log.more && <Spinner />}
        {Boolean(error) && log.more && (
          <Button size="sm" onClick={older}>
            {texts.messages.loadOlder}
          </Button>
        )}
        {!log.more && log.items.length > 0 && <span>{texts.messages.beginning}</span>}
      </div>
      {!log.more && conversation.inbox.channelType === "web" && <Greeting inboxId={conversation.inbox.id} />}
      {log.items.length === 0 && waiting.length === 0 && <EmptyState title={texts.messages.none}>{texts.messages.writeFirst}</EmptyState>}
      {days.map(({ day, items }) => (
        <Fragment key={day}>
          <div className={styles.day} role="separator">
            <span>{dayName(items[0]?.at ?? 0, now)}</span>
          </div>
          {items.map(({ id, at, message, line }, index) =>
            message ? (
              <OrPlain key={id} of={message} plain={<PlainBubble content={message.content} />}>
                <MessageBubble
                  message={message}
                  joined={joins(items[index - 1]?.message, message)}
                  contact={conversation.contact}
                  sought={id === target}
                  first={!log.more && id === log.items[0]?.value.id}
                />
              </OrPlain>
            ) : (
              <p key={id} className={styles.line} aria-live="off" data-line>
                {line && history?.say(line)} · <time dateTime={at}>{clockTime(at)}</time>
                {line && (line.merged ?? line.other) && <LineActs line={line} conversationId={conversation.id} />}
              </p>
            ),
          )}
        </Fragment>
      ))}
      <div ref={bottom} className={log.later ? styles.older : undefined}>
        {log.later && loading && <Spinner />}
        {log.later && Boolean(error) && (
          <Button size="sm" onClick={later}>
            {texts.messages.loadLater}
          </Button>
        )}
      </div>
      {waiting.map((one) => (
        <OrPlain key={one.key} of={one} plain={<PlainBubble content={one.content} />}>
          <WaitingBubble item={one} me={me} />
        </OrPlain>
      ))}
      {typing && (
        <p className={styles.typing}>
          <span className={styles.dots} aria-hidden>
            <i />
            <i />
            <i />
          </span>
          {texts.messages.isWriting(contactName(conversation.contact))}
        </p>
      )}
      {(!atEnd || log.later) && (
        <div className={styles.below}>
          <Button size="sm" icon={<ArrowDown size={14} />} onClick={toNewest}>
            {texts.messages.newest}
          </Button>
        </div>
      )}
    </div>
  );
}

/** A message, or a line of the history. */
interface Shown {
  id: string;
  at: string;
  message?: Message;
  line?: Line;
}

/** The messages with the lines of the history between them, as far as the messages are loaded. */
function withLines(log: MessageLog, history: History | null): Shown[] {
  const messages = log.items.map(({ value }): Shown => ({ id: value.id, at: value.createdAt, message: value }));
  if (!history) return messages;
  const [from, to] = [log.more ? messages[0]?.at : "", log.later ? messages.at(-1)?.at : undefined];
  const lines = history.lines.filter(({ at }) => from !== undefined && at >= from && (to === undefined || at <= to));
  const all: Shown[] = [];
  for (const next of [...messages, ...lines.map((line): Shown => ({ id: line.id, at: line.at, line }))].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))) {
    const before = all.at(-1);
    const fold = next.line && history.fold(before?.line, next.line);
    if (before && fold) all[all.length - 1] = { ...before, line: fold };
    else all.push(next);
  }
  return all;
}

function byDay(items: readonly Shown[]): { day: string; items: Shown[] }[] {
  const days: { day: string; items: Shown[] }[] = [];
  for (const item of items) {
    const day = new Date(item.at).toDateString();
    const last = days.at(-1);
    if (last?.day === day) last.items.push(item);
    else days.push({ day, items: [item] });
  }
  return days;
}

function joins(before: Message | undefined, message: Message): boolean {
  return (
    before !== undefined &&
    before.senderType === message.senderType &&
    before.senderId === message.senderId &&
    before.isPrivate === message.isPrivate &&
    Date.parse(message.createdAt) - Date.parse(before.createdAt) < together
  );
}

const rootMargin = "400px 0px"; // an observer takes no variables

/** Calls `act` when the element is nearly in view, and again after each page that leaves it there. */
function useNearing(element: RefObject<HTMLElement | null>, scroller: RefObject<HTMLElement | null>, wanted: boolean, loaded: number, act: () => void) {
  useEffect(() => {
    const target = element.current;
    if (!target || !wanted) return;
    const watch = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && act(), { root: scroller.current, rootMargin });
    watch.observe(target);
    return () => watch.disconnect();
    // Observing again after each page repeats the call if the element is still in view.
  }, [wanted, loaded, act, element, scroller]);
}

/**
 * Keeps the newest message in view if the reader is at the end; otherwise keeps the visible messages in place while
 * older ones are inserted before them. A message that is linked to is scrolled to the middle once it is loaded.
 */
function useStayAtEnd(log: MessageLog, below: string, target: string | null) {
  const scroller = useRef<HTMLDivElement>(null);
  const [atEnd, setAtEnd] = useState(true);
  const end = useRef(target === null);
  const found = useRef<string | null>(null);
  const height = useRef(0);
  const first = useRef<string | undefined>(undefined);
  const toEnd = useCallback(() => {
    const box = scroller.current;
    end.current = true;
    if (box) box.scrollTop = box.scrollHeight;
  }, []);
  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box) return;
    const oldest = log.items[0]?.value.id;
    const sought = target !== null && found.current !== target && box.querySelector(`[data-message="${CSS.escape(target)}"]`);
    if (sought) {
      found.current = target;
      end.current = false;
      sought.scrollIntoView({ block: "center" });
    } else if (end.current) toEnd();
    else if (first.current !== undefined && oldest !== first.current) box.scrollTop += box.scrollHeight - height.current;
    first.current = oldest;
    height.current = box.scrollHeight;
  }, [log.items, below, toEnd, log.loaded, target]);
  useEffect(() => {
    const box = scroller.current;
    if (!box) return;
    const moved = () => {
      end.current = box.scrollHeight - box.scrollTop - box.clientHeight < 80;
      setAtEnd(end.current);
    };
    // The keyboard of a phone and the growing composer make the box smaller.
    const resized = new ResizeObserver(() => end.current && toEnd());
    box.addEventListener("scroll", moved, { passive: true });
    resized.observe(box);
    return () => {
      box.removeEventListener("scroll", moved);
      resized.disconnect();
    };
  }, [toEnd, log.loaded]);
  return { scroller, atEnd, toEnd };
}
