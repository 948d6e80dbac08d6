// The keys of a member who leaves, or who loses the right to manage keys. They
// stay valid, so the dialog offers to revoke them too.
import { useState } from "react";
import { api } from "../api/client";
import type { Key, List, Member } from "../api/types";
import { useQuery } from "../api/useQuery";
import { Button, Checkbox, Dialog, FormError, useAction, useNow } from "../kit";
import { keysOfUnknown, keysToOffer } from "./keystate";
import css from "./settings.module.css";
import { texts } from "./texts";

interface LeavingProps {
  member: Member;
  title: string;
  /** The consequences for the member. */
  text: string;
  /** The verb of the button. */
  action: string;
  done: string;
  onConfirm: () => Promise<void>;
  onClose: () => void;
}

/** Confirms a change that takes a member's right to manage keys, and lists the keys that the member created. */
export function LeavingDialog({ member, title, text, action, done, onConfirm, onClose }: LeavingProps) {
  const keys = useQuery<List<Key>>("/v1/dashboard/keys");
  const now = useNow();
  // The member's own keys are revoked unless kept; others are kept unless chosen, because a shop may depend on them.
  const [chosen, setChosen] = useState<Readonly<Record<string, boolean>>>({});
  const { run, busy } = useAction();
  const own = keys.data && keysToOffer(keys.data.data, member.id, now);
  const unknown = keys.data ? keysOfUnknown(keys.data.data, now) : [];

  /** Revokes keys first: if that fails, the member is still there with their keys on display. */
  async function confirm() {
    const ending = [...(own ?? []).filter(({ id }) => chosen[id] ?? true), ...unknown.filter(({ id }) => chosen[id] ?? false)];
    for (const key of ending) await api.delete<Key>(`/v1/dashboard/keys/${key.id}`);
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
          <Button onClick={onClose}>{texts.memberkeys.cancel}</Button>
          <Button variant="danger" busy={busy || (!own && !keys.error)} onClick={() => void run(confirm, done)}>
            {action}
          </Button>
        </>
      }
    >
      {keys.error !== undefined && keys.error !== null && <FormError>{texts.memberkeys.unknown(member.name)}</FormError>}
      <KeyChoices legend={texts.memberkeys.madeBy(member.name)} keys={own ?? []} isChosen={({ id }) => chosen[id] ?? true} onChoose={({ id }, revoke) => setChosen({ ...chosen, [id]: revoke })} />
      <KeyChoices legend={texts.memberkeys.makerUnknown(member.name)} keys={unknown} isChosen={({ id }) => chosen[id] ?? false} onChoose={({ id }, revoke) => setChosen({ ...chosen, [id]: revoke })} />
    </Dialog>
  );
}

interface ChoicesProps {
  legend: string;
  keys: readonly Key[];
  isChosen: (key: Key) => boolean;
  onChoose: (key: Key, revoke: boolean) => void;
}

function KeyChoices({ legend, keys, isChosen, onChoose }: ChoicesProps) {
  if (keys.length === 0) return null;
  return (
    <fieldset className={css.choices}>
      <legend>{legend}</legend>
      {keys.map((key) => (
        <Checkbox key={key.id} label={texts.memberkeys.revoke(key.name)} hint={<span className={css.mono}>{key.display}</span>} checked={isChosen(key)} onChange={(revoke) => onChoose(key, revoke)} />
      ))}
    </fieldset>
  );
}
