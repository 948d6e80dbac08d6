// Merging a contact into another, which stays and is completed from the first.
import { useState } from "react";
import { useLocation } from "wouter";
import { api, errorText } from "../api/client";
import type { Contact, Page } from "../api/types";
import { Button, Combobox, Dialog, FormError, useToast } from "../kit";
import { mergedFields } from "./mergedfields";
import { contactDetail, contactName, namesakesFirst, tellingApart } from "./names";
import css from "./people.module.css";
import { texts } from "./texts";

export function MergeDialog({ contact, onClose }: { contact: Contact; onClose: () => void }) {
  const [, navigate] = useLocation();
  const toast = useToast();
  const [found, setFound] = useState<ReadonlyMap<string, Contact>>(new Map());
  const [into, setInto] = useState<Contact | null>(null);
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState("");

  async function search(text: string, signal: AbortSignal) {
    const page = await api.get<Page<Contact>>("/v1/dashboard/contacts", { search: text || contact.name, limit: 20 }, signal);
    const others = namesakesFirst(contact, page.data);
    setFound(new Map(others.map((other) => [other.id, other])));
    return others.map((other) => ({ value: other.id, label: contactName(other), detail: tellingApart(other) }));
  }

  async function merge() {
    if (!into) return;
    setBusy(true);
    setFault("");
    try {
      await api.post<Contact>(`/v1/dashboard/contacts/${contact.id}/merge`, { intoId: into.id });
      toast.done(texts.merge.mergedInto(contactName(into)));
      onClose();
      navigate(`/contacts/${into.id}`, { replace: true });
    } catch (error) {
      setFault(errorText(error));
      setBusy(false);
    }
  }

  return (
    <Dialog
      open
      onClose={onClose}
      wide
      title={texts.merge.title(contactName(contact))}
      description={texts.merge.consequences}
      footer={
        <>
          <Button onClick={onClose}>{texts.merge.cancel}</Button>
          <Button variant="danger" busy={busy} disabled={!into} onClick={() => void merge()}>
            {into ? texts.merge.action(contactName(into)) : texts.merge.merge}
          </Button>
        </>
      }
    >
      <div className={css.stack}>
        <Combobox
          label={texts.merge.into}
          value={into && { value: into.id, label: contactName(into), detail: contactDetail(into) }}
          search={search}
          placeholder={texts.merge.searchByNameEMail}
          autoFocus
          onChange={(choice) => setInto(choice ? (found.get(choice.value) ?? null) : null)}
        />
        {into && <Preview from={contact} into={into} />}
        <FormError>{fault}</FormError>
      </div>
    </Dialog>
  );
}

/** Shows the values of the surviving contact, and which contact each is from. */
function Preview({ from, into }: { from: Contact; into: Contact }) {
  return (
    <table className={css.preview}>
      <caption>{texts.merge.preview(contactName(into))}</caption>
      <thead>
        <tr>
          <th scope="col">{texts.merge.field}</th>
          <th scope="col">{texts.merge.kept}</th>
          <th scope="col">{texts.merge.dropped}</th>
        </tr>
      </thead>
      <tbody>
        {mergedFields(from, into).map((field) => (
          <tr key={field.name}>
            <th scope="row">{field.name}</th>
            <td>
              {field.kept || "–"} {field.filled && <em>{texts.merge.from(contactName(from))}</em>}
            </td>
            <td>{field.lost && <s>{field.lost}</s>}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
