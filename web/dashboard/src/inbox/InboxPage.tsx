import { MessagesSquare } from "lucide-react";
import { useCallback, useState } from "react";
import { useLocation, useParams, useSearch } from "wouter";
import { EmptyState, Kbd, useTitle } from "../kit";
import { useMe } from "../sync";
import { useCommand } from "../shell/commands";
import { ContactPane } from "./ContactPane";
import { ConversationPane } from "./ConversationPane";
import styles from "./Inbox.module.css";
import { ListPane } from "./ListPane";
import { filterOf, inboxAddress, viewOf } from "./views";

const detailsKey = "parley.details";

/** The inbox: a list, the open conversation, its contact. The address names view and conversation, so a link shows the same to a colleague. */
export function InboxPage() {
  const { id } = useParams<{ id?: string }>();
  const search = useSearch();
  const [, navigate] = useLocation();
  const me = useMe();
  const view = viewOf(new URLSearchParams(search));
  const filter = filterOf(view, me.id);
  const [details, setDetails] = useState(() => localStorage.getItem(detailsKey) !== "hidden" && window.innerWidth > 1180);
  const toggleDetails = useCallback(() => {
    setDetails((shown) => {
      localStorage.setItem(detailsKey, shown ? "hidden" : "shown");
      return !shown;
    });
  }, []);
  useTitle("Inbox");
  useCommand("back", id ? () => navigate(inboxAddress(view)) : null);
  useCommand("details", id ? toggleDetails : null);
  return (
    <div className={styles.inbox} data-open={id !== undefined}>
      <ListPane view={view} filter={filter} openId={id} />
      {id ? (
        <>
          <ConversationPane key={id} id={id} back={inboxAddress(view)} details={details} onDetails={toggleDetails} />
          {details && <ContactPane key={`contact-${id}`} conversationId={id} onClose={toggleDetails} />}
        </>
      ) : (
        <div className={styles.nothing}>
          <EmptyState icon={<MessagesSquare size={20} />} title="No conversation is open">
            Choose one from the list, or go through it with <Kbd keys="j" /> and <Kbd keys="k" />. <Kbd keys="?" /> shows all keys.
          </EmptyState>
        </div>
      )}
    </div>
  );
}
