// Merging a contact into another one: the other stays and fills its gaps.
import { useState } from "react";
import { useLocation } from "wouter";
import { api, errorText } from "../api/client";
import type { Contact, Page } from "../api/types";
import { Button, Combobox, Dialog, FormError, useToast } from "../kit";
import { mergedFields } from "./mergedfields";
import { contactDetail, contactName, namesakesFirst, tellingApart } from "./names";
import css from "./people.module.css";

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
      toast.done(`Merged into ${contactName(into)}`);
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
      title={`Merge ${contactName(contact)} into another contact`}
      description="Merge two records of the same person. The contact that you choose keeps the conversations of both; this one is removed. This cannot be undone."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="danger" busy={busy} disabled={!into} onClick={() => void merge()}>
            {into ? `Merge into ${contactName(into)}` : "Merge"}
          </Button>
        </>
      }
    >
      <div className={css.stack}>
        <Combobox
          label="Merge into"
          value={into && { value: into.id, label: contactName(into), detail: contactDetail(into) }}
          search={search}
          placeholder="Search by name, e-mail, phone or your own id"
          autoFocus
          onChange={(choice) => setInto(choice ? (found.get(choice.value) ?? null) : null)}
        />
        {into && <Preview from={contact} into={into} />}
        <FormError>{fault}</FormError>
      </div>
    </Dialog>
  );
}

/** Shows what the surviving contact will have, and where each value is from. */
function Preview({ from, into }: { from: Contact; into: Contact }) {
  return (
    <table className={css.preview}>
      <caption>What {contactName(into)} will have</caption>
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Kept</th>
          <th scope="col">Dropped</th>
        </tr>
      </thead>
      <tbody>
        {mergedFields(from, into).map((field) => (
          <tr key={field.name}>
            <th scope="row">{field.name}</th>
            <td>
              {field.kept || "–"} {field.filled && <em>from {contactName(from)}</em>}
            </td>
            <td>{field.lost && <s>{field.lost}</s>}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
