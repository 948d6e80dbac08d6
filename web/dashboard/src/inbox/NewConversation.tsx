import { useState } from "react";
import { useLocation } from "wouter";
import { api } from "../api/client";
import type { Contact, Conversation, Page } from "../api/types";
import { Combobox, FormDialog, SelectField, TextArea, useForm, type Choice } from "../kit";
import { sendMessage, useInboxes, useProducts, useStore } from "../sync";

const inherit = "inherit";

/** Starts a conversation with a contact who is known, with or without a first message. */
export function NewConversation({ onClose, contact = null }: { onClose: () => void; contact?: Choice | null }) {
  const store = useStore();
  // One cannot write first in WhatsApp, only by making a group.
  const inboxes = useInboxes().filter((inbox) => inbox.channelType !== "chatapp");
  const products = useProducts().filter((product) => !product.archived);
  const [, navigate] = useLocation();
  const [key] = useState(() => crypto.randomUUID());
  const form = useForm(
    { contactId: contact, inboxId: inboxes[0]?.id ?? "", productId: inherit, content: "" },
    async ({ contactId, inboxId, productId, content }) => {
      const product = productId === inherit ? {} : { productId: productId || null };
      const made = await api.post<Conversation>("/v1/public/conversations", { contactId: contactId?.value, ...(inboxId && { inboxId }), ...product }, { idempotencyKey: key });
      if (content.trim() !== "") sendMessage(store, { conversationId: made.id, content: content.trim(), isPrivate: false });
      onClose();
      navigate(`/inbox/${made.id}?status=open`);
    },
    ({ contactId }) => (contactId ? {} : { contactId: "Choose who it is with" }),
  );
  return (
    <FormDialog title="New conversation" action="Start conversation" form={form} onClose={onClose}>
      <Combobox label="Contact" placeholder="Name, e-mail or phone" search={findContacts} autoFocus {...form.field("contactId")} />
      <SelectField label="Inbox" options={inboxes.map(({ id, name }) => ({ value: id, label: name }))} {...form.field("inboxId")} />
      <SelectField label="Product" options={[{ value: inherit, label: "Use the inbox’s product" }, { value: "", label: "None" }, ...products.map(({ id, name }) => ({ value: id, label: name }))]} {...form.field("productId")} />
      <TextArea label="First message" optional rows={4} {...form.field("content")} />
    </FormDialog>
  );
}

/** Contacts that fit, as choices. */
export async function findContacts(search: string, signal: AbortSignal): Promise<Choice[]> {
  const page = await api.get<Page<Contact>>("/v1/dashboard/contacts", { search, limit: 10 }, signal);
  return page.data.map((contact) => ({
    value: contact.id,
    label: contact.name || contact.email || contact.phoneNumber || "Unnamed contact",
    detail: contact.name ? contact.email || contact.phoneNumber || "" : "",
  }));
}
