// Connecting the own account with the workspace's OpenID Connect provider.
import { useState } from "react";
import { useSearchParams } from "wouter";
import { api } from "../api/client";
import type { ProviderAccount, ProviderAddress } from "../api/types";
import { useQuery } from "../api/useQuery";
import { Button, FormDialog, FormError, Section, shortDate, TextField, useForm } from "../kit";
import { refusedText } from "../signin/refused";
import { useMe } from "../sync";
import css from "./settings.module.css";
import { texts } from "./signinprovider.texts";

const path = "/v1/dashboard/provider-account";

/** Nothing for a workspace without a provider. */
export function ProviderSection() {
  const [params] = useSearchParams();
  const own = useQuery<ProviderAccount>(path);
  const [asking, setAsking] = useState(false);
  if (!own.data?.issuer) return null;
  const { host } = new URL(own.data.issuer);
  return (
    <Section title={texts.account.title} description={texts.account.description(host)}>
      <FormError>{refusedText(params.get("refused"))}</FormError>
      <p>{own.data.connectedAt === null ? texts.account.none : texts.account.since(shortDate(own.data.connectedAt))}</p>
      {own.data.connectedAt === null && (
        <div className={css.buttons}>
          <Button onClick={() => setAsking(true)}>{texts.account.connect}</Button>
        </div>
      )}
      {asking && <Connect host={host} onClose={() => setAsking(false)} />}
    </Section>
  );
}

function Connect({ host, onClose }: { host: string; onClose: () => void }) {
  const me = useMe();
  const form = useForm(
    { current: "" },
    async (password) => location.assign((await api.post<ProviderAddress>(path, password)).address),
    ({ current }) => ({ ...(current === "" && { current: texts.account.passwordMissing }) }),
  );
  return (
    <FormDialog title={texts.account.connect} description={texts.account.goes(host)} action={texts.account.continue} form={form} onClose={onClose}>
      {/* Password managers want to know whose password this is. */}
      <input type="email" autoComplete="username" value={me.email} readOnly hidden />
      <TextField label={texts.account.password} type="password" autoComplete="current-password" autoFocus {...form.field("current")} />
    </FormDialog>
  );
}
