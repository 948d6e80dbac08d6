import { SearchX } from "lucide-react";
import { useEffect, useState } from "react";
import { ApiError } from "../api/client";
import { ButtonLink, EmptyState, ErrorState, SkeletonRows, useNarrow, useTitle } from "../kit";
import { markRead, useConversation, useMessages, useStore } from "../sync";
import { Composer } from "./Composer";
import styles from "./Conversation.module.css";
import { Header } from "./Header";
import { Messages } from "./Messages";
import { NumberNotice } from "./NumberNotice";
import { Others } from "./Others";
import { usePresence } from "./presence";
import { contactName } from "./Row";

interface Props {
  id: string;
  /** The list's address. */
  back: string;
  details: boolean;
  onDetails: () => void;
}

/** The open conversation: what it is, what was said, what to answer. */
export function ConversationPane({ id, back, details, onDetails }: Props) {
  const store = useStore();
  const conversation = useConversation(id);
  const { log, error } = useMessages(id);
  const setTyping = usePresence(id);
  const alone = useNarrow(860);
  const [returned, setReturned] = useState(0);
  const unread = conversation?.unreadCount ?? 0;
  useTitle(conversation ? contactName(conversation.contact) : "Inbox");
  useEffect(() => {
    // Not before its messages are here: their answer would count it as unread once more.
    if (unread === 0 || !log.loaded) return;
    const read = () => {
      // A failure leaves it unread, which is true.
      if (document.visibilityState === "visible") markRead(store, id).catch(() => undefined);
    };
    read();
    document.addEventListener("visibilitychange", read);
    return () => document.removeEventListener("visibilitychange", read);
  }, [store, id, unread, log.loaded]);
  if (!conversation) {
    const gone = error instanceof ApiError && (error.status === 404 || error.status === 400);
    return (
      <section className={styles.pane} aria-label="Conversation">
        {alone && <h1 className="visually-hidden">Conversation</h1>}
        {gone ? (
          <EmptyState icon={<SearchX size={20} />} title="Conversation not found" action={<ButtonLink href={back}>Back to the list</ButtonLink>} />
        ) : error ? (
          <ErrorState error={error} onRetry={() => void store.loadMessages(id)} />
        ) : (
          <SkeletonRows count={5} />
        )}
      </section>
    );
  }
  return (
    <section className={styles.pane} aria-label={`Conversation with ${contactName(conversation.contact)}`}>
      <Header conversation={conversation} back={back} details={details} onDetails={onDetails} />
      <Others conversationId={id} />
      <Messages conversation={conversation} log={log} error={error} onReturned={() => setReturned((times) => times + 1)} />
      <NumberNotice inboxId={conversation.inbox.id} />
      <Composer key={returned} conversation={conversation} onTyping={setTyping} focused={returned > 0} />
    </section>
  );
}
