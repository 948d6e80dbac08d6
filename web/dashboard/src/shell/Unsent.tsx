import { CircleAlert } from "lucide-react";
import { useEffect, useEffectEvent, useRef } from "react";
import { Link, useLocation } from "wouter";
import { headOf } from "../inbox/WaitingBubble";
import { useToast } from "../kit";
import type { Item } from "../outbox/item";
import { useOutbox, useStore } from "../sync";
import styles from "./Shell.module.css";
import { texts } from "./texts";

const isUnsent = ({ posted, stand }: Item) => posted === "" && stand.is !== "ready";
const addressOf = ({ conversationId }: Item) => `/inbox/${conversationId}`;

/** "2 not sent", with a link to the first of them. */
export function Unsent() {
  const unsent = useOutbox().filter(isUnsent);
  const first = unsent[0];
  return (
    <div role="status">
      {first && (
        <Link href={addressOf(first)} className={styles.unsent}>
          <CircleAlert size={13} aria-hidden />
          {texts.unsent.notSent(unsent.length)}
        </Link>
      )}
    </div>
  );
}

/**
 * Shows unsent messages of conversations that are not open, and asks before the page is closed with messages that would
 * be lost.
 */
export function UnsentNotice() {
  const toast = useToast();
  const items = useOutbox();
  const [path, navigate] = useLocation();
  const elsewhere = items.filter((item) => isUnsent(item) && addressOf(item) !== path);
  const news = elsewhere.map(({ key, stand }) => `${key} ${stand.is}`).join();
  const notify = useEffectEvent(() => {
    const first = elsewhere[0];
    if (!first) return;
    const text = elsewhere.length > 1 ? texts.unsent.messagesAreNotSent(elsewhere.length) : noticeOf(first);
    return toast.failed(text, { label: texts.unsent.show, onSelect: () => navigate(addressOf(first)) });
  });
  useEffect(() => {
    return notify();
    // Once for each message that is new or has a new state.
  }, [news]);
  useHold(items.length > 0);
  return null;
}

function noticeOf({ stand, to: name }: Item): string {
  if (stand.is === "asks") return texts.unsent.oneNotSent(name, `. ${headOf(stand.question)}`);
  return stand.is === "ready" ? "" : texts.unsent.oneNotSent(name, `: ${stand.fault}`);
}

/**
 * Asks before the page is closed while an unsent message is in no request that outlives it, and in no other tab of the
 * member.
 */
function useHold(waits: boolean) {
  const { outbox, lineName } = useStore();
  const others = useRef(false);
  useEffect(() => {
    if (!waits) return;
    const look = async () => {
      // Each tab holds the connection's lock or waits for it.
      const { held = [], pending = [] } = "locks" in navigator ? await navigator.locks.query() : {};
      others.current = [...held, ...pending].filter(({ name }) => name === lineName).length > 1;
    };
    void look();
    const timer = setInterval(() => void look(), 3000);
    const leave = (event: BeforeUnloadEvent) => {
      outbox.release();
      if (!outbox.mayLeave(others.current)) event.preventDefault();
    };
    window.addEventListener("beforeunload", leave);
    return () => {
      clearInterval(timer);
      window.removeEventListener("beforeunload", leave);
    };
  }, [waits, outbox, lineName]);
}
