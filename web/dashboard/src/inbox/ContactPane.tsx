import { CircleCheck, CircleDot, Clock, X } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "wouter";
import type { Attributes, Contact } from "../api/types";
import { Avatar, CopyButton, ErrorState, Facts, IconButton, OrPlain, RelativeTime, shortDate, SkeletonRows } from "../kit";
import { useContact, useConversation, useConversations, useDeleted, useHidden, usePreview, useReading } from "../sync";
import { inboxName } from "./channel";
import styles from "./Contact.module.css";
import { Duplicates } from "./Duplicates";
import { FittingArticles } from "./FittingArticles";
import { Followers } from "./Followers";
import { Links } from "./Links";
import { previewText } from "./preview";
import { contactName } from "./Row";
import { texts } from "./texts";
import { Visit } from "./Visit";

/** The contact of the conversation: their details and their other conversations. */
export function ContactPane({ conversationId, onClose }: { conversationId: string; onClose: () => void }) {
  const conversation = useConversation(conversationId);
  const reading = useReading(`messages:${conversationId}`);
  const deleted = useDeleted(conversationId);
  const hidden = useHidden(conversationId);
  // What happened is shown in the place of the conversation.
  if (!conversation && (deleted || hidden || typeof reading === "object")) return null;
  return (
    <aside className={styles.pane} aria-label={texts.contactPane.contact}>
      {conversation ? (
        <>
          <Person contactId={conversation.contact.id} onSite={conversation.inbox.channelType === "web"} onClose={onClose} />
          <OrPlain of={conversation} plain={unshown}>
            <FittingArticles conversation={conversation} />
          </OrPlain>
          <Links conversationId={conversationId} />
          <OrPlain of={conversation} plain={unshown}>
            <AttributesPart title={texts.contactPane.conversationAttributes} attributes={conversation.customAttributes} />
          </OrPlain>
          <OrPlain of={conversation} plain={unshown}>
            <Others contactId={conversation.contact.id} conversationId={conversationId} />
          </OrPlain>
          <Followers conversationId={conversationId} />
        </>
      ) : (
        <SkeletonRows count={3} />
      )}
    </aside>
  );
}

/** `onSite` says that the conversation is in the chat of a website, which says more about the visitor. */
function Person({ contactId, onSite, onClose }: { contactId: string; onSite: boolean; onClose: () => void }) {
  const { value: contact, error, reload } = useContact(contactId);
  if (error && !contact) return <ErrorState error={error} onRetry={reload} />;
  if (!contact) return <SkeletonRows count={3} />;
  return (
    <OrPlain of={contact} plain={<PlainContact contact={contact} />}>
      <Known contact={contact} onSite={onSite} onClose={onClose} />
    </OrPlain>
  );
}

/** The details of a contact that cannot be rendered. */
function PlainContact({ contact }: { contact: Contact }) {
  const lines = [contact.name, contact.email, contact.phoneNumber, contact.identifier].filter(Boolean).map(String);
  return (
    <div className={styles.part}>
      {lines.map((line, index) => (
        <p key={index}>{line}</p>
      ))}
      {unshown}
    </div>
  );
}

const unshown = <p className={styles.sub}>{texts.contactPane.notShown}</p>;

function Known({ contact, onSite, onClose }: { contact: Contact; onSite: boolean; onClose: () => void }) {
  return (
    <>
      <header className={styles.head}>
        <Avatar id={contact.id} name={contactName(contact)} image={contact.avatarUrl} size={40} />
        <div>
          <h2>
            <Link href={`/contacts/${contact.id}`}>{contactName(contact)}</Link>
          </h2>
          <p className={styles.sub}>{contact.company ? <Link href={`/companies/${contact.company.id}`}>{contact.company.name}</Link> : contact.shopName || texts.contactPane.noCompany}</p>
        </div>
        <IconButton className={styles.close ?? ""} label={texts.contactPane.hide} icon={<X size={16} />} onClick={onClose} />
      </header>
      <Duplicates contactId={contact.id} />
      <div className={styles.part}>
        <Facts items={facts(contact)} />
      </div>
      {onSite && <Visit contactId={contact.id} />}
      <AttributesPart title={texts.contactPane.contactAttributes} attributes={contact.customAttributes} />
    </>
  );
}

function facts(contact: Contact): [string, ReactNode][] {
  const items: [string, ReactNode][] = [];
  if (contact.email) items.push([texts.contactPane.eMail, <a href={`mailto:${contact.email}`}>{contact.email}</a>]);
  if (contact.phoneNumber) items.push([texts.contactPane.phone, <a href={`tel:${contact.phoneNumber.replace(/[^+\d]/g, "")}`}>{contact.phoneNumber}</a>]);
  if (contact.shopName) items.push([texts.contactPane.shop, contact.shopName]);
  if (contact.identifier) items.push([texts.contactPane.identifier, <span className={styles.mono}>{contact.identifier}</span>]);
  items.push([texts.contactPane.since, shortDate(contact.createdAt)]);
  items.push([
    texts.contactPane.id,
    <span style={{ display: "flex", alignItems: "center" }}>
      <span className={styles.mono}>{contact.id.slice(0, 8)}…</span>
      <CopyButton label={texts.contactPane.copyId} value={contact.id} />
    </span>,
  ]);
  return items;
}

function AttributesPart({ title, attributes }: { title: string; attributes: Attributes }) {
  const entries = Object.entries(attributes);
  if (entries.length === 0) return null;
  return (
    <section className={styles.part}>
      <h3>{title}</h3>
      <Facts items={entries.map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)] as const)} />
    </section>
  );
}

const icons = {
  open: <CircleDot size={14} aria-label={texts.contactPane.open} />,
  pending: <Clock size={14} aria-label={texts.contactPane.pending} />,
  resolved: <CircleCheck size={14} aria-label={texts.contactPane.resolved} />,
};

function Others({ contactId, conversationId }: { contactId: string; conversationId: string }) {
  const { ids, loading, error } = useConversations({ contactId });
  const others = ids.filter((id) => id !== conversationId).slice(0, 10);
  return (
    <section className={styles.part}>
      <h3>{texts.contactPane.otherConversations}</h3>
      {loading || error ? null : others.length === 0 ? (
        <p className={styles.sub}>{texts.contactPane.noOthers}</p>
      ) : (
        <ul>
          {others.map((id) => (
            <OtherConversation key={id} id={id} />
          ))}
        </ul>
      )}
    </section>
  );
}

function OtherConversation({ id }: { id: string }) {
  const conversation = useConversation(id);
  const preview = usePreview(id);
  if (!conversation) return null;
  return (
    <li>
      <Link href={`/inbox/${id}`} className={styles.other}>
        {icons[conversation.status]}
        <span>
          {conversation.product?.name ?? inboxName(conversation.inbox)}
          {preview && <small>{previewText(preview)}</small>}
        </span>
        <RelativeTime at={conversation.lastActivityAt} />
      </Link>
    </li>
  );
}
