// The keys of a member who leaves, or may not keep keys any more: they go on
// working, so whoever removes the member is offered to revoke them too.
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
  // The member's own keys end unless somebody keeps them, others only where somebody says so: a shop may live by them.
  const [chosen, setChosen] = useState<Readonly<Record<string, boolean>>>({});
  const { run, busy } = useAction();
  const own = keys.data && keysToOffer(keys.data.data, member.id, now);
  const unknown = keys.data ? keysOfUnknown(keys.data.data, now) : [];

  /** Revokes first: a failure then leaves a member whose keys are still in view. */
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
