// The form of a new identity key.
import { api } from "../api/client";
import type { NewIdentityKey } from "../api/types";
import { FormDialog, SelectField, TextArea, TextField, useForm } from "../kit";
import { algorithms, bodyOf, kindHints, kindOptions, newKey } from "./identitykeys";
import css from "./settings.module.css";

export function IdentityForm({ onMade, onClose }: { onMade: (key: NewIdentityKey) => void; onClose: () => void }) {
  const form = useForm(newKey, async (values) => onMade(await api.post<NewIdentityKey>("/v1/dashboard/identity-keys", bodyOf(values))));
  const { kind } = form.values;
  return (
    <FormDialog title="New identity key" action="Create key" form={form} onClose={onClose} wide>
      <SelectField label="Signed with" hint={kindHints[kind]} autoFocus options={kindOptions} {...form.field("kind")} />
      {kind === "secret" && (
        <TextField
          label="Your own secret"
          optional
          hint="32 bytes or more as base64url. If you leave it empty, Parley creates one and shows it once."
          autoComplete="off"
          spellCheck={false}
          {...form.field("secret")}
        />
      )}
      {kind === "public" && <TextArea label="Public key" rows={6} className={css.mono} hint="PEM or JWK. RSA keys need 2048 bits or more." spellCheck={false} {...form.field("publicKey")} />}
      {kind === "jwks" && <TextField label="Key set URL" type="url" placeholder="https://id.example/.well-known/jwks.json" autoComplete="off" {...form.field("jwksUrl")} />}
      {kind !== "secret" && (
        <>
          <SelectField label="Algorithm" options={algorithms.map((value) => ({ value, label: value }))} {...form.field("algorithm")} />
          <div className={css.pair}>
            <TextField label="Issuer (iss)" optional={kind === "public"} autoComplete="off" {...form.field("issuer")} />
            <TextField label="Audience (aud)" optional={kind === "public"} autoComplete="off" {...form.field("audience")} />
          </div>
        </>
      )}
    </FormDialog>
  );
}
