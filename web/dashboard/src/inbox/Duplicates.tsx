import { useState } from "react";
import { Link } from "wouter";
import { api } from "../api/client";
import type { Contact, ContactDuplicate } from "../api/types";
import { Button, ConfirmDialog, useAction } from "../kit";
import styles from "./Contact.module.css";
import { texts } from "./texts";
import { guessesPath, useGuesses } from "./useGuesses";

/** Possible duplicates of the contact: a signed identity had the e-mail address of another contact. */
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
          <section key={one.id} className={styles.duplicate} aria-label={texts.duplicates.possibleDuplicate}>
            <h3>{texts.duplicates.possibleDuplicate}</h3>
            <p>
              <Link href={`/contacts/${twin.id}`}>{nameOf(twin)}</Link> {texts.duplicates.hasSame} {one.phoneNumber ? texts.duplicates.phoneNumber : texts.duplicates.email},{" "}
              {one.phoneNumber ?? one.email}.
            </p>
            <div>
              <Button size="sm" onClick={() => setMerging(one)}>
                {texts.duplicates.mergeInto}
              </Button>
              <Button size="sm" variant="ghost" busy={busy} onClick={() => void run(() => dismiss(one), texts.duplicates.keptAsTwoContacts)}>
                {texts.duplicates.notSame}
              </Button>
            </div>
          </section>
        );
      })}
      {merging && (
        <ConfirmDialog
          open
          onClose={() => setMerging(null)}
          title={texts.duplicates.question(nameOf(merging.other), nameOf(merging.contact))}
          action={texts.duplicates.merge}
          onConfirm={() => merge(merging)}
        >
          {texts.duplicates.consequences(nameOf(merging.contact), nameOf(merging.other))}
        </ConfirmDialog>
      )}
    </>
  );
}

function nameOf({ name }: { name: string }): string {
  return name || texts.duplicates.unnamedContact;
}
