// The keys of a member who leaves, or may not keep keys any more: they go on
// working, so whoever removes the member is offered to revoke them too.
import { useState } from "react";
import { api } from "../api/client";
import type { Key, List, Member } from "../api/types";
import { useQuery } from "../api/useQuery";
import { Button, Checkbox, Dialog, FormError, useAction, useNow } from "../kit";
import { keysToOffer } from "./keystate";
import css from "./settings.module.css";

interface LeavingProps {
  member: Member;
  title: string;
  /** What happens to the member. */
  text: string;
  /** The verb of the button. */
  action: string;
  done: string;
  onConfirm: () => Promise<void>;
  onClose: () => void;
}

/** Confirms what takes a member's right to keep keys, with the keys that the member made. */
export function LeavingDialog({ member, title, text, action, done, onConfirm, onClose }: LeavingProps) {
  const keys = useQuery<List<Key>>("/v1/dashboard/keys");
  const now = useNow();
  const [kept, setKept] = useState<readonly string[]>([]);
  const { run, busy } = useAction();
  const offered = keys.data && keysToOffer(keys.data.data, member.id, now);

  /** Revokes first: a failure then leaves a member whose keys are still in view. */
  async function confirm() {
    for (const key of offered ?? []) {
      if (!kept.includes(key.id)) await api.delete<Key>(`/v1/dashboard/keys/${key.id}`);
    }
    await onConfirm();
    onClose();
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      description={text}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="danger" busy={busy || (!offered && !keys.error)} onClick={() => void run(confirm, done)}>
            {action}
          </Button>
        </>
      }
    >
      {keys.error !== undefined && keys.error !== null && <FormError>The API keys that {member.name} made cannot be shown now; look at them under API keys.</FormError>}
      {offered && offered.length > 0 && (
        <fieldset className={css.choices}>
          <legend>API keys that {member.name} made. A key that is not revoked goes on working.</legend>
          {offered.map((key) => (
            <Checkbox
              key={key.id}
              label={`Revoke ${key.name}`}
              hint={<span className={css.mono}>{key.display}</span>}
              checked={!kept.includes(key.id)}
              onChange={(revoke) => setKept(revoke ? kept.filter((id) => id !== key.id) : [...kept, key.id])}
            />
          ))}
        </fieldset>
      )}
    </Dialog>
  );
}
