import { useState } from "react";
import { Link } from "wouter";
import { api } from "../api/client";
import type { Contact, ContactDuplicate } from "../api/types";
import { Button, ConfirmDialog, useAction } from "../kit";
import styles from "./Contact.module.css";
import { guessesPath, useGuesses } from "./useGuesses";

/** Guesses that the contact is here twice: a signed identity came with the e-mail address of another one. */
export function Duplicates({ contactId }: { contactId: string }) {
  const { found, without } = useGuesses(contactId);
  const [merging, setMerging] = useState<ContactDuplicate | null>(null);
  const { busy, run } = useAction();

  async function merge({ contact, other }: ContactDuplicate) {
    await api.post<Contact>(`/v1/dashboard/contacts/${other.id}/merge`, { intoId: contact.id });
    if (merging) without(merging);
  }
  async function dismiss(one: ContactDuplicate) {
    await api.delete(`${guessesPath}/${one.id}`);
    without(one);
  }
  return (
    <>
      {found.map((one) => {
        const twin = one.contact.id === contactId ? one.other : one.contact;
        return (
          <section key={one.id} className={styles.duplicate} aria-label="Possible duplicate">
            <h3>Possible duplicate</h3>
            <p>
              <Link href={`/contacts/${twin.id}`}>{nameOf(twin)}</Link> has the same {one.phoneNumber ? "phone number" : "e-mail address"}, {one.phoneNumber ?? one.email}.
            </p>
            <div>
              <Button size="sm" onClick={() => setMerging(one)}>
                Merge …
              </Button>
              <Button size="sm" variant="ghost" busy={busy} onClick={() => void run(() => dismiss(one), "Kept as two contacts")}>
                Not the same person
              </Button>
            </div>
          </section>
        );
      })}
      {merging && (
        <ConfirmDialog open onClose={() => setMerging(null)} title={`Merge ${nameOf(merging.other)} into ${nameOf(merging.contact)}?`} action="Merge" onConfirm={() => merge(merging)}>
          {`For one person who is here twice. ${nameOf(merging.contact)} stays and gets the conversations of both, and may read them in the chat. ${nameOf(merging.other)} disappears. It cannot be undone.`}
        </ConfirmDialog>
      )}
    </>
  );
}

function nameOf({ name }: { name: string }): string {
  return name || "Unnamed contact";
}
