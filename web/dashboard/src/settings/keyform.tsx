// The form for a new key, or for the name and permissions of an existing one.
import { api } from "../api/client";
import type { Key, NewKey } from "../api/types";
import { Checkbox, FormDialog, SelectField, TextField, useForm } from "../kit";
import { expiries, expiryOf } from "./keystate";
import { presetOf, presets, scopes, toggled } from "./scopes";
import css from "./settings.module.css";
import { texts } from "./texts";

interface KeyFormProps {
  keyRecord: Key | null;
  onSaved: (key: Key | NewKey) => void;
  onClose: () => void;
}

export function KeyForm({ keyRecord, onSaved, onClose }: KeyFormProps) {
  const first = { name: keyRecord?.name ?? "", scopes: keyRecord?.scopes ?? scopes.map(({ value }) => value), expiry: "", expiresAt: "" };
  const form = useForm(
    first,
    async ({ name, scopes: chosen, expiry, expiresAt }) => {
      if (keyRecord) return onSaved(await api.patch<Key>(`/v1/dashboard/keys/${keyRecord.id}`, { name, scopes: chosen }));
      onSaved(await api.post<NewKey>("/v1/dashboard/keys", { name, scopes: chosen, expiresAt: expiryOf(expiry, expiresAt, Date.now()) }));
    },
    (values) => ({
      ...(values.scopes.length === 0 && { scopes: texts.keyform.noPermission }),
      ...(values.expiry === "date" && values.expiresAt === "" && { expiresAt: texts.keyform.noDay }),
    }),
  );

  return (
    <FormDialog title={keyRecord ? texts.keyform.editTheKey : texts.keyform.newApiKey} action={keyRecord ? texts.keyform.save : texts.keyform.createKey} form={form} onClose={onClose} wide>
      <TextField label={texts.keyform.name} hint={texts.keyform.theProgramThatUses} autoFocus autoComplete="off" {...form.field("name")} />
      <ScopesField value={form.values.scopes} onChange={(next) => form.set("scopes", next)} error={form.errors.scopes} />
      {!keyRecord && (
        <div className={css.pair}>
          <SelectField label={texts.keyform.expires} options={expiries} {...form.field("expiry")} error={form.values.expiry === "date" ? undefined : form.field("expiresAt").error} />
          {form.values.expiry === "date" && <TextField label={texts.keyform.lastDay} type="date" {...form.field("expiresAt")} />}
        </div>
      )}
    </FormDialog>
  );
}

interface ScopesFieldProps {
  value: readonly string[];
  onChange: (scopes: string[]) => void;
  error: string | undefined;
}

/** A checkbox for every permission, and the usual sets to start from. */
function ScopesField({ value, onChange, error }: ScopesFieldProps) {
  const preset = presetOf(value);
  const options = [...presets, ...(preset === "own" ? [{ value: "own", label: texts.keyform.custom }] : [])];
  return (
    <>
      <SelectField
        label={texts.keyform.permissions}
        value={preset}
        error={error}
        options={options}
        onChange={(chosen) => onChange([...(presets.find((one) => one.value === chosen)?.scopes ?? value)])}
      />
      <fieldset className={css.choices}>
        <legend className="visually-hidden">{texts.keyform.individualPermissions}</legend>
        {scopes.map((scope) => (
          <Checkbox
            key={scope.value}
            label={<span className={css.mono}>{scope.value}</span>}
            hint={scope.label}
            checked={value.includes(scope.value)}
            onChange={(on) => onChange(toggled(value, scope.value, on))}
          />
        ))}
      </fieldset>
    </>
  );
}
