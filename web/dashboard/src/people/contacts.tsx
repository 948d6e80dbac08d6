// The list of contacts.
import { UserPlus } from "lucide-react";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { api } from "../api/client";
import type { Contact } from "../api/types";
import { usePages } from "../api/useQuery";
import { Avatar, Button, cx, FormDialog, RelativeTime, rowClass, TextField, useForm } from "../kit";
import { useOnEvent } from "../sync";
import { Directory } from "./directory";
import { contactDetail, contactName } from "./names";
import css from "./people.module.css";
import { texts } from "./texts";
import { useSearchText } from "./useSearchText";

export function ContactsPage() {
  const { text, setText, asked } = useSearchText();
  const list = usePages<Contact>("/v1/dashboard/contacts", { search: asked, limit: 50 });
  const [creating, setCreating] = useState(false);

  useOnEvent(({ type, data }) => {
    if (type === "contact.merged") list.update((all) => all.filter((other) => other.id !== data.id));
    // Only the server knows whether a new contact matches a search.
    else if (type === "contact.created" && asked === "") list.update((all) => [data, ...all]);
    else if (type === "contact.updated") list.update((all) => all.map((other) => (other.id === data.id ? data : other)));
  });

  return (
    <>
      <Directory
        title={texts.contacts.contacts}
        order={texts.contacts.newestFirst}
        list={list}
        search={text}
        onSearch={setText}
        searchLabel={texts.contacts.searchContacts}
        empty={{ title: texts.contacts.noContactsYet, text: texts.contacts.whereTheyComeFrom }}
        actions={
          <Button variant="primary" icon={<UserPlus size={16} />} onClick={() => setCreating(true)}>
            {texts.contacts.newContact}
          </Button>
        }
        row={(contact) => <ContactRow contact={contact} />}
      />
      {creating && <NewContact onClose={() => setCreating(false)} />}
    </>
  );
}

/** A contact as a row of a list, with a link to its page. */
export function ContactRow({ contact }: { contact: Contact }) {
  return (
    <Link href={`/contacts/${contact.id}`} className={cx(rowClass, css.row)}>
      <Avatar id={contact.id} name={contactName(contact)} image={contact.avatarUrl} size={36} />
      <span className={css.rowMain}>
        <span className={css.rowName}>{contactName(contact)}</span>
        <span className={css.rowDetail}>{contactDetail(contact)}</span>
      </span>
      <span className={css.rowCompany}>{contact.company?.name}</span>
      <span className={css.rowTime}>
        <span className="visually-hidden">{texts.contacts.lastActive} </span>
        <RelativeTime at={contact.lastActivityAt} />
      </span>
    </Link>
  );
}

const nobody = { name: "", email: "", phoneNumber: "", shopName: "", identifier: "" };

function NewContact({ onClose }: { onClose: () => void }) {
  const [, navigate] = useLocation();
  const form = useForm(
    nobody,
    async (values) => {
      // Empty fields are left out, because a known contact with the same identity keeps its values.
      const given = Object.fromEntries(Object.entries(values).filter(([, text]) => text.trim() !== ""));
      const contact = await api.post<Contact>("/v1/public/contacts", given);
      onClose();
      navigate(`/contacts/${contact.id}`);
    },
    (values) => (Object.values(values).every((text) => text.trim() === "") ? { name: texts.contacts.missing } : {}),
  );
  return (
    <FormDialog title={texts.contacts.newContact} description={texts.contacts.idHint} action={texts.contacts.createContact} form={form} onClose={onClose}>
      <TextField label={texts.contacts.name} autoFocus autoComplete="off" {...form.field("name")} />
      <div className={css.pair}>
        <TextField label={texts.contacts.eMail} type="email" autoComplete="off" {...form.field("email")} />
        <TextField label={texts.contacts.phone} type="tel" autoComplete="off" placeholder="+49 …" {...form.field("phoneNumber")} />
        <TextField label={texts.contacts.shop} autoComplete="off" {...form.field("shopName")} />
        <TextField label={texts.contacts.yourOwnId} autoComplete="off" {...form.field("identifier")} />
      </div>
    </FormDialog>
  );
}
