import { MessagesSquare } from "lucide-react";
import { useCallback, useEffect, useRef, useState } from "react";
import { useLocation, useParams, useSearch } from "wouter";
import { chunk, EmptyState, Kbd, readStored, SkeletonRows, useTitle, writeStored } from "../kit";
import { useMe } from "../sync";
import { useCommand } from "../shell/commands";
import { useLayout, widths } from "../shell/layout";
import contact from "./Contact.module.css";
import { ConversationPane } from "./ConversationPane";
import { InsertContext, type Insert } from "./inserts";
import { GoOnContext, type GoOn } from "./flow";
import styles from "./Inbox.module.css";
import { ListPane } from "./ListPane";
import { PaneSeparator } from "./PaneSeparator";
import { rememberView } from "./lastview";
import { texts } from "./texts";
import { useUndo } from "./undo";
import { filterOf, inboxAddress, viewOf, viewQuery } from "./views";

const ContactPane = chunk(() => import("./ContactPane").then((m) => m.ContactPane), ContactPaneFrame);

const detailsKey = "parley.details";

/**
 * The inbox: a list, the open conversation, its contact. The address names the view and the conversation, so a link
 * shows a colleague the same.
 */
export function InboxPage() {
  const { id } = useParams<{ id?: string }>();
  const search = useSearch();
  const [, navigate] = useLocation();
  const me = useMe();
  const params = new URLSearchParams(search);
  const view = viewOf(params);
  const message = params.get("message");
  const query = viewQuery(view);
  const goOn = useRef<GoOn>(null);
  const insert = useRef<Insert>(null);
  useEffect(() => rememberView(query), [query]);
  const filter = filterOf(view, me.id);
  const [details, setDetails] = useState(() => readStored(detailsKey) !== "hidden" && window.innerWidth > 1180);
  const { compact, listWidth, contactWidth } = useLayout();
  const toggleDetails = useCallback(() => {
    setDetails((shown) => {
      writeStored(detailsKey, shown ? "hidden" : "shown");
      return !shown;
    });
  }, []);
  useTitle(texts.inboxPage.inbox);
  useCommand("back", id ? () => navigate(inboxAddress(view)) : null);
  useCommand("leave", id ? () => navigate(inboxAddress(view)) : null);
  useCommand("undo", useUndo());
  useCommand("details", id ? toggleDetails : null);
  return (
    <GoOnContext value={goOn}>
      <InsertContext value={insert}>
        <div
          className={styles.inbox}
          data-thread={id === undefined ? "none" : "open"}
          style={listWidth === widths.listWidth.usual ? undefined : { gridTemplateColumns: `${listWidth}px minmax(0, 1fr) auto` }}
        >
          <ListPane view={view} filter={filter} openId={id} compact={compact} />
          {id ? (
            <>
              <ConversationPane key={id} id={id} message={message} address={inboxAddress(view, id)} back={inboxAddress(view)} details={details} onDetails={toggleDetails} />
              {details && (
                <div className={styles.contact} style={contactWidth === widths.contactWidth.usual ? undefined : { width: contactWidth }}>
                  <PaneSeparator pane="contactWidth" />
                  <ContactPane key={`contact-${id}`} conversationId={id} onClose={toggleDetails} />
                </div>
              )}
            </>
          ) : (
            <div className={styles.nothing}>
              <EmptyState icon={<MessagesSquare size={20} />} title={texts.inboxPage.nothingOpen}>
                {texts.inboxPage.choose} <Kbd keys="j" /> {texts.inboxPage.and} <Kbd keys="k" />. <Kbd keys="?" /> {texts.inboxPage.showsKeys}
              </EmptyState>
            </div>
          )}
        </div>
      </InsertContext>
    </GoOnContext>
  );
}

/** Keeps the place of the contact. */
function ContactPaneFrame() {
  return (
    <div className={contact.pane}>
      <SkeletonRows count={3} />
    </div>
  );
}
