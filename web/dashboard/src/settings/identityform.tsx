// The form of a new identity key.
import { api } from "../api/client";
import type { NewIdentityKey } from "../api/types";
import { FormDialog, SelectField, TextArea, TextField, useForm } from "../kit";
import { algorithms, bodyOf, kindHints, kindOptions, newKey } from "./identitykeys";
import css from "./settings.module.css";
import { texts } from "./texts";

export function IdentityForm({ onMade, onClose }: { onMade: (key: NewIdentityKey) => void; onClose: () => void }) {
  const form = useForm(newKey, async (values) => onMade(await api.post<NewIdentityKey>("/v1/dashboard/identity-keys", bodyOf(values))));
  const { kind } = form.values;
  return (
    <FormDialog title={texts.identityform.newIdentityKey} action={texts.identityform.createKey} form={form} onClose={onClose} wide>
      <SelectField label={texts.identityform.signedWith} hint={kindHints[kind]} autoFocus options={kindOptions} {...form.field("kind")} />
      {kind === "secret" && <TextField label={texts.identityform.yourOwnSecret} optional hint={texts.identityform.secretHint} autoComplete="off" spellCheck={false} {...form.field("secret")} />}
      {kind === "public" && <TextArea label={texts.identityform.publicKey} rows={6} className={css.mono} hint={texts.identityform.publicKeyHint} spellCheck={false} {...form.field("publicKey")} />}
      {kind === "jwks" && <TextField label={texts.identityform.keySetUrl} type="url" placeholder={texts.identityform.keySetPlaceholder} autoComplete="off" {...form.field("jwksUrl")} />}
      {kind !== "secret" && (
        <>
          <SelectField label={texts.identityform.algorithm} options={algorithms.map((value) => ({ value, label: value }))} {...form.field("algorithm")} />
          <div className={css.pair}>
            <TextField label={texts.identityform.issuerIss} optional={kind === "public"} autoComplete="off" {...form.field("issuer")} />
            <TextField label={texts.identityform.audienceAud} optional={kind === "public"} autoComplete="off" {...form.field("audience")} />
          </div>
        </>
      )}
    </FormDialog>
  );
}
