// Erasing a person for good, with a preview of what that deletes.
import { useState } from "react";
import { useLocation } from "wouter";
import { api, errorText } from "../api/client";
import type { Contact, Erasure, ErasurePreview } from "../api/types";
import { useQuery } from "../api/useQuery";
import { Button, Checkbox, Dialog, ErrorState, Facts, FormError, SkeletonRows, useToast } from "../kit";
import { backupsText } from "./backups";
import { contactName } from "./names";
import css from "./people.module.css";
import { texts } from "./texts";

export function EraseDialog({ contact, onClose }: { contact: Contact; onClose: () => void }) {
  const [, navigate] = useLocation();
  const toast = useToast();
  const path = `/v1/dashboard/contacts/${contact.id}/erasure`;
  const { data: preview, error, reload } = useQuery<ErasurePreview>(path);
  const [sure, setSure] = useState(false);
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState("");

  async function erase() {
    setBusy(true);
    setFault("");
    try {
      await api.post<Erasure>(path);
      toast.done(texts.erase.begun);
      onClose();
      navigate("/contacts", { replace: true });
    } catch (failure) {
      setFault(errorText(failure));
      setBusy(false);
    }
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={texts.erase.title(contactName(contact))}
      description={texts.erase.consequences}
      footer={
        <>
          <Button onClick={onClose}>{texts.erase.cancel}</Button>
          <Button variant="danger" busy={busy} disabled={!sure || (!preview && error === undefined)} onClick={() => void erase()}>
            {texts.erase.erase}
          </Button>
        </>
      }
    >
      <div className={css.stack}>
        {preview ? <Preview preview={preview} /> : error === undefined ? <SkeletonRows count={3} /> : <ErrorState error={error} onRetry={reload} />}
        {!preview && error !== undefined && <p>{texts.erase.notCounted}</p>}
        {preview && <p>{backupsText(preview.backups)}</p>}
        <Checkbox label={texts.erase.sure} checked={sure} onChange={setSure} />
        <FormError>{fault}</FormError>
      </div>
    </Dialog>
  );
}

function Preview({ preview }: { preview: ErasurePreview }) {
  return (
    <Facts
      items={[
        [texts.erase.conversations, texts.erase.withMessages(preview.conversations, preview.messages)],
        [texts.erase.groups, texts.erase.inGroups(preview.groups, preview.groupMessages)],
        [texts.erase.files, preview.files],
        [texts.erase.mergedContacts, preview.mergedContacts],
        [texts.erase.sessions, preview.sessions],
      ]}
    />
  );
}
