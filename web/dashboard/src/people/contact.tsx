// One contact: details, conversations, company. Everything is edited in place
// and follows the changes of others.
import { GitMerge, LogOut, MessageSquarePlus, MoreHorizontal, UserX } from "lucide-react";
import { useState } from "react";
import { useLocation, useParams } from "wouter";
import { api, ApiError } from "../api/client";
import type { Contact, Conversation } from "../api/types";
import { Avatar, Button, ConfirmDialog, CopyButton, EmptyState, ErrorState, Facts, fullTime, IconButton, Menu, Page, RelativeTime, Section, SkeletonRows, useAction, useToast } from "../kit";
import { isAtLeast } from "../settings/roles";
import { useContact, useMe, useStore } from "../sync";
import { AttributesEditor } from "./AttributesEditor";
import { CompanySection } from "./companylink";
import { ConversationsSection } from "./conversations";
import { EditableField } from "./EditableField";
import { EraseDialog } from "./erase";
import { MergeDialog } from "./merge";
import { contactName } from "./names";
import css from "./people.module.css";
import { texts } from "./texts";

export function ContactPage() {
  const { id } = useParams<{ id: string }>();
  const { value: contact, error, reload } = useContact(id);
  if (contact) return <Loaded key={contact.id} contact={contact} />;
  return (
    <Page title={texts.contact.contact} back={{ href: "/contacts", label: texts.contact.contacts }}>
      {error === undefined ? (
        <SkeletonRows count={4} />
      ) : error instanceof ApiError && error.status === 404 ? (
        <EmptyState title={texts.contact.contactNotFound}>{texts.contact.whyNotFound}</EmptyState>
      ) : (
        <ErrorState error={error} onRetry={reload} />
      )}
    </Page>
  );
}

/** Changes fields of a contact and reads it again. */
export function useContactChange(id: string): (change: object) => Promise<void> {
  const store = useStore();
  return async (change) => {
    await api.patch<Contact>(`/v1/public/contacts/${id}`, change);
    await store.loadContact(id);
  };
}

function Loaded({ contact }: { contact: Contact }) {
  const [, navigate] = useLocation();
  const [merging, setMerging] = useState(false);
  const [signingOut, setSigningOut] = useState(false);
  const [erasing, setErasing] = useState(false);
  const me = useMe();
  const { busy, run } = useAction();
  const toast = useToast();
  const change = useContactChange(contact.id);
  // A WhatsApp group is in the list as a contact too.
  const isGroup = contact.identifier.endsWith("@g.us");

  async function start() {
    const conversation = await api.post<Conversation>("/v1/public/conversations", { contactId: contact.id });
    navigate(`/inbox/${conversation.id}`);
  }

  return (
    <Page
      title={contactName(contact)}
      back={{ href: "/contacts", label: texts.contact.contacts }}
      description={
        <>
          {texts.contact.lastActive} <RelativeTime at={contact.lastActivityAt} suffix="ago" />
        </>
      }
      actions={
        <>
          <Button variant="primary" icon={<MessageSquarePlus size={16} />} busy={busy} onClick={() => void run(start, texts.contact.conversationStarted)}>
            {texts.contact.newConversation}
          </Button>
          {!isGroup && (
            <Menu
              button={<IconButton label={texts.contact.moreAboutThisContact} icon={<MoreHorizontal size={16} />} />}
              entries={[
                { label: texts.contact.mergeAction, icon: <GitMerge size={15} />, onSelect: () => setMerging(true) },
                { label: texts.contact.signOutAction, icon: <LogOut size={15} />, onSelect: () => setSigningOut(true) },
                ...(isAtLeast(me.role, "admin") ? [{ label: texts.contact.eraseAction, icon: <UserX size={15} />, danger: true, onSelect: () => setErasing(true) }] : []),
              ]}
            />
          )}
        </>
      }
    >
      <div className={css.columns}>
        <div className={css.column}>
          <Section title={texts.contact.details} actions={<Avatar id={contact.id} name={contactName(contact)} image={contact.avatarUrl} size={40} />}>
            <Details contact={contact} isGroup={isGroup} onChange={change} />
          </Section>
          <Section title={texts.contact.attributes}>
            <AttributesEditor value={contact.customAttributes} onChange={(customAttributes) => change({ customAttributes })} />
          </Section>
        </div>
        <div className={css.column}>
          <ConversationsSection filter={{ contactId: contact.id }} empty={texts.contact.noConversationsYet} />
          <CompanySection contact={contact} onChange={change} />
          <Section title={texts.contact.record}>
            <Facts
              items={[
                [
                  texts.contact.id,
                  <span className={css.idLine}>
                    <code>{contact.id}</code>
                    <CopyButton label={texts.contact.copyTheId} value={contact.id} />
                  </span>,
                ],
                [texts.contact.created, fullTime(contact.createdAt)],
                [texts.contact.changed, fullTime(contact.updatedAt)],
              ]}
            />
          </Section>
        </div>
      </div>
      {merging && <MergeDialog contact={contact} onClose={() => setMerging(false)} />}
      {erasing && <EraseDialog contact={contact} onClose={() => setErasing(false)} />}
      <ConfirmDialog
        open={signingOut}
        onClose={() => setSigningOut(false)}
        title={texts.contact.signOutEverywhere(contactName(contact))}
        action={texts.contact.signOut}
        onConfirm={async () => {
          await api.post(`/v1/dashboard/contacts/${contact.id}/sign-out`);
          toast.done(texts.contact.signedOutEverywhere);
        }}
      >
        {texts.contact.signOutConsequences}
      </ConfirmDialog>
    </Page>
  );
}

interface DetailsProps {
  contact: Contact;
  isGroup: boolean;
  onChange: (change: object) => Promise<void>;
}

function Details({ contact, isGroup, onChange }: DetailsProps) {
  // Parley finds the group by its id, and a group has no e-mail address or phone number.
  if (isGroup) {
    return (
      <div className={css.fields}>
        <p className={css.quiet}>{texts.contact.aWhatsappGroup}</p>
        <EditableField label={texts.contact.name} name="name" value={contact.name} onSave={(name) => onChange({ name })} />
        <EditableField label={texts.contact.shop} name="shopName" value={contact.shopName} onSave={(shopName) => onChange({ shopName })} />
      </div>
    );
  }
  return (
    <div className={css.fields}>
      <EditableField label={texts.contact.name} name="name" value={contact.name} onSave={(name) => onChange({ name })} />
      <EditableField label={texts.contact.eMail} name="email" type="email" value={contact.email} onSave={(email) => onChange({ email })} />
      <EditableField label={texts.contact.phone} name="phoneNumber" type="tel" value={contact.phoneNumber ?? ""} onSave={(text) => onChange({ phoneNumber: text || null })} />
      <EditableField label={texts.contact.shop} name="shopName" value={contact.shopName} onSave={(shopName) => onChange({ shopName })} />
      <EditableField label={texts.contact.yourOwnId} name="identifier" value={contact.identifier} onSave={(identifier) => onChange({ identifier })} />
      <EditableField
        label={texts.contact.picture}
        name="avatarUrl"
        type="url"
        placeholder={texts.contact.https}
        value={contact.avatarUrl ?? ""}
        onSave={(text) => onChange({ avatarUrl: text || null })}
      />
    </div>
  );
}
