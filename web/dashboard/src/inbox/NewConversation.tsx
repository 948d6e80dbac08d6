import { useState } from "react";
import { useLocation } from "wouter";
import { api } from "../api/client";
import type { Contact, Conversation, List, Page, Way } from "../api/types";
import { useQuery } from "../api/useQuery";
import { Combobox, ErrorState, FormDialog, SelectField, TextArea, useForm, type Choice, type FormState } from "../kit";
import { sendMessage, useMe, useProducts, useStore } from "../sync";
import { draftFor, loadDraft, saveDraft } from "./drafts";
import { texts } from "./texts";

const inherit = "inherit";
/** Text that is written here has no conversation yet. It is stored for its contact, so that it reaches nobody else. */
const draftName = (contact: Choice | null) => draftFor(contact?.value ?? "");

interface Values {
  contactId: Choice | null;
  inboxId: string;
  productId: string;
  content: string;
}

/** Starts a conversation with a known, reachable contact, with or without a first message. */
export function NewConversation({ onClose, contact = null }: { onClose: () => void; contact?: Choice | null }) {
  const store = useStore();
  const me = useMe();
  const products = useProducts().filter((product) => !product.archived);
  const [, navigate] = useLocation();
  const [key] = useState(() => crypto.randomUUID());
  const keptFor = (one: Choice | null) => loadDraft(me.id, draftName(one)).text;
  const form: FormState<Values> = useForm<Values>(
    { contactId: contact, inboxId: "", productId: inherit, content: keptFor(contact) },
    async ({ contactId, productId, content }) => {
      const keep = (text: string) => saveDraft(me.id, draftName(contactId), { text, note: false, files: [] });
      keep(content); // until it is sent, even if the page is closed
      const product = productId === inherit ? {} : { productId: productId || null };
      const made = await api.post<Conversation>("/v1/public/conversations", { contactId: contactId?.value, inboxId, ...product }, { idempotencyKey: key });
      if (content.trim() !== "") sendMessage(store, { conversationId: made.id, content: content.trim(), isPrivate: false });
      keep("");
      onClose();
      navigate(`/inbox/${made.id}?status=open`);
    },
    ({ contactId }) =>
      !contactId ? { contactId: texts.newConversation.chooseContact } : inboxId === "" ? { contactId: ways.loading ? texts.newConversation.stillLookedUp : texts.newConversation.chooseReachable } : {},
  );
  const chosen = form.values.contactId;
  const ways = useQuery<List<Way>>(chosen ? `/v1/dashboard/contacts/${chosen.value}/ways` : null);
  const offered = ways.data?.data ?? [];
  const way = offered.find(({ inbox }) => inbox.id === form.values.inboxId) ?? offered[0];
  const inboxId = way?.inbox.id ?? "";
  const choose = (next: Choice | null) => {
    if (form.values.content === keptFor(chosen)) form.set("content", keptFor(next));
    form.set("contactId", next);
  };
  return (
    <FormDialog title={texts.newConversation.title} action={texts.newConversation.start} form={form} onClose={onClose}>
      <Combobox label={texts.newConversation.contact} placeholder={texts.newConversation.contactPlaceholder} search={findContacts} autoFocus {...form.field("contactId")} onChange={choose} />
      {chosen && ways.error !== undefined && <ErrorState title={texts.newConversation.waysUnknown} error={ways.error} onRetry={ways.reload} />}
      {chosen && ways.data && !way && (
        <p role="alert">
          <strong>{texts.newConversation.unreachable(chosen.label)}</strong> {texts.newConversation.whatItTakes}
        </p>
      )}
      {way && (
        <SelectField label={texts.newConversation.inbox} hint={hintOf(way)} options={offered.map(({ inbox }) => ({ value: inbox.id, label: inbox.name }))} {...form.field("inboxId")} value={inboxId} />
      )}
      <SelectField
        label={texts.newConversation.product}
        options={[{ value: inherit, label: texts.newConversation.inboxsProduct }, { value: "", label: texts.newConversation.none }, ...products.map(({ id, name }) => ({ value: id, label: name }))]}
        {...form.field("productId")}
      />
      <TextArea label={texts.newConversation.firstMessage} optional rows={4} {...form.field("content")} />
    </FormDialog>
  );
}

/** Where the first message will arrive. */
function hintOf({ inbox, phoneNumber }: Way): string {
  if (inbox.channelType === "chatapp") return texts.newConversation.byWhatsapp(phoneNumber);
  if (inbox.channelType === "web") return texts.newConversation.byChat;
  return texts.newConversation.byProgram;
}

/** Matching contacts, as choices. */
export async function findContacts(search: string, signal: AbortSignal): Promise<Choice[]> {
  const page = await api.get<Page<Contact>>("/v1/dashboard/contacts", { search, limit: 10 }, signal);
  return page.data.map((contact) => ({
    value: contact.id,
    label: contact.name || contact.email || contact.phoneNumber || texts.newConversation.unnamedContact,
    detail: contact.name ? contact.email || contact.phoneNumber || "" : "",
  }));
}
