import { SearchX } from "lucide-react";
import { useEffect, useState } from "react";
import { useLocation } from "wouter";
import { ApiError } from "../api/client";
import { ButtonLink, chunk, EmptyState, ErrorState, SkeletonRows, useNarrow, useTitle, useToast } from "../kit";
import { useCommand } from "../shell/commands";
import { markRead, markUnread, useConversation, useDeleted, useHidden, useLedOn, useLineState, useMessages, useNoticed, useStore, useUnread } from "../sync";
import { AgentNotice } from "./AgentNotice";
import { Composer } from "./Composer";
import styles from "./Conversation.module.css";
import { Header } from "./Header";
import { Messages } from "./Messages";
import { Others } from "./Others";
import { usePresence } from "./presence";
import { contactName } from "./Row";
import { Scheduled } from "./Scheduled";
import { texts } from "./texts";
import { useDid } from "./undo";
import { texts as undoing } from "./undo.texts";
import { useDwell } from "./useDwell";

const Hidden = chunk(() => import("./Hidden").then((m) => m.Hidden));
const NumberNotice = chunk(() => import("./NumberNotice").then((m) => m.NumberNotice));
const MovedMessage = chunk(() => import("./MovedMessage").then((m) => m.MovedMessage));
const FindBar = chunk(() => import("./FindBar").then((m) => m.FindBar));

interface Props {
  id: string;
  /** The message to open at; null for the newest. */
  message: string | null;
  /** The conversation's own address, at the newest message. */
  address: string;
  /** The list's address. */
  back: string;
  details: boolean;
  onDetails: () => void;
}

/** The open conversation: its header, its messages, the composer. */
export function ConversationPane({ id, message, address, back, details, onDetails }: Props) {
  const store = useStore();
  const conversation = useConversation(id);
  const ledOn = useLedOn(id);
  const [, navigate] = useLocation();
  const there = back.replace(/^\/inbox/, `/inbox/${ledOn}`);
  useEffect(() => {
    // The id of a merged conversation leads to the one that shows its messages.
    if (ledOn !== id) navigate(there, { replace: true });
  }, [ledOn, id, there, navigate]);
  const deleted = useDeleted(id);
  const hidden = useHidden(id);
  const { log, error } = useMessages(id, message);
  const toast = useToast();
  const did = useDid();
  const setTyping = usePresence(id);
  const alone = useNarrow(860);
  const unread = useUnread(id);
  const noticed = useNoticed(id);
  const [finding, setFinding] = useState(false);
  useCommand("find", conversation ? () => setFinding(true) : null);
  const live = useLineState() === "live";
  // A conversation marked as unread stays so until the member leaves it.
  const [marked, setMarked] = useState(false);
  useTitle(conversation ? contactName(conversation.contact) : texts.conversationPane.inbox);
  const seen = !log.loaded || log.later || marked || !(unread || noticed || (conversation?.unreadCount ?? 0) > 0);
  // If this fails, the conversation stays unread, which is true.
  useDwell(!seen, live, () => markRead(store, id));
  const toUnread = () => {
    setMarked(true);
    const marking = markUnread(store, id);
    const act = did(undoing.of(undoing.unread, conversation ? contactName(conversation.contact) : ""), async () => {
      await marking;
      await markRead(store, id);
    });
    marking.catch((fault: unknown) => {
      setMarked(false);
      act.forget();
      toast.failed(fault);
    });
  };
  useCommand("unread", conversation && !unread ? toUnread : null);
  if (!conversation) {
    const gone = deleted || (error instanceof ApiError && (error.status === 404 || error.status === 400));
    return (
      <section id="conversation" tabIndex={-1} className={styles.pane} aria-label={texts.conversationPane.conversation}>
        {alone && <h1 className="visually-hidden">{texts.conversationPane.conversation}</h1>}
        {hidden ? (
          <Hidden back={back} />
        ) : gone ? (
          <EmptyState icon={<SearchX size={20} />} title={texts.conversationPane.notFound} action={<ButtonLink href={back}>{texts.conversationPane.back}</ButtonLink>} />
        ) : error ? (
          <ErrorState error={error} onRetry={() => void store.loadMessages(id)} />
        ) : (
          <SkeletonRows count={5} />
        )}
      </section>
    );
  }
  return (
    <section id="conversation" tabIndex={-1} className={styles.pane} aria-label={texts.conversationPane.conversationWith(contactName(conversation.contact))}>
      <Header conversation={conversation} back={back} details={details} onDetails={onDetails} onUnread={unread ? null : toUnread} onFind={() => setFinding(true)} />
      {finding && <FindBar conversationId={id} address={address} onClose={() => setFinding(false)} />}
      {message !== null && log.loaded && !log.items.some(({ value }) => value.id === message) && <MovedMessage id={message} address={address} />}
      <Others conversationId={id} />
      <Messages conversation={conversation} log={log} error={error} message={message} newest={address} />
      <Scheduled conversationId={id} />
      <AgentNotice conversation={conversation} />
      <NumberNotice inboxId={conversation.inbox.id} />
      <Composer conversation={conversation} onTyping={setTyping} />
    </section>
  );
}
