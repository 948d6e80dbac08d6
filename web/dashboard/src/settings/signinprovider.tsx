// The OpenID Connect provider with which members of the workspace sign in.
import { useState } from "react";
import { api } from "../api/client";
import type { Member, SignInProvider } from "../api/types";
import { useQuery } from "../api/useQuery";
import {
  Button,
  Checkbox,
  ConfirmDialog,
  CopyField,
  ErrorState,
  Form,
  FormActions,
  FormError,
  Page,
  Section,
  SelectField,
  shortDate,
  SkeletonRows,
  Switch,
  TextArea,
  TextField,
  useForm,
  useToast,
  useUnsaved,
} from "../kit";
import { useMembers } from "../sync";
import { groupLines, groupsIn } from "./groups";
import { texts as pageTexts } from "./pages.texts";
import { RowActions, Rows, RowText } from "./parts";
import { texts } from "./signinprovider.texts";

const path = "/v1/dashboard/sign-in-provider";

type Provider = NonNullable<SignInProvider["provider"]>;

export function SignInProviderPage() {
  const state = useQuery<SignInProvider>(path);
  return (
    <Page title={pageTexts.signIn} description={texts.what}>
      {state.error ? <ErrorState error={state.error} onRetry={state.reload} /> : !state.data && <SkeletonRows />}
      {state.data && (
        <>
          <Section title={texts.addresses} description={state.data.redirectUrl === "" ? texts.noAddress : texts.addressesHint}>
            {state.data.redirectUrl !== "" && (
              <>
                <CopyField label={texts.redirectUrl} value={state.data.redirectUrl} />
                <CopyField label={texts.logoutUrl} value={state.data.logoutUrl} />
              </>
            )}
          </Section>
          <Settings key={state.data.provider?.createdAt ?? ""} provider={state.data.provider} onSaved={state.set} />
          <Persons state={state.data} onEnded={state.reload} />
          {state.data.provider && <Remove onRemoved={state.set} />}
        </>
      )}
    </Page>
  );
}

function Settings({ provider, onSaved }: { provider: Provider | null; onSaved: (state: SignInProvider) => void }) {
  const toast = useToast();
  const members = useMembers();
  const form = useForm(
    {
      issuer: provider?.issuer ?? "",
      clientId: provider?.clientId ?? "",
      clientSecret: "",
      groupsClaim: provider?.groupsClaim ?? "",
      groups: groupLines(provider?.groups ?? []),
      joinRole: provider?.joinRole ?? "",
      joinDomains: provider?.joinDomains.join(", ") ?? "",
      required: provider?.required ?? false,
      trustsFactor: provider?.trustsFactor ?? false,
      exempt: provider?.exempt ?? [],
    },
    async ({ issuer, clientSecret, groups, joinRole, joinDomains, ...values }) => {
      const saved = await api.patch<SignInProvider>(path, {
        ...values,
        ...(issuer.trim() !== provider?.issuer && { issuer: issuer.trim() }),
        ...(clientSecret !== "" && { clientSecret }),
        groups: groupsIn(groups),
        joinRole: joinRole || null,
        joinDomains: joinDomains.split(/[\s,]+/).filter(Boolean),
      });
      toast.done(texts.saved);
      onSaved(saved);
    },
    ({ groups }) => ({ ...(groupsIn(groups) === null && { groups: texts.groupsRule }) }),
  );
  useUnsaved(form.changed);
  const { values } = form;
  const submit = async () => {
    if (await form.submit()) form.reset({ ...values, clientSecret: "" });
  };
  const exempt = (id: string, on: boolean) => form.set("exempt", on ? [...values.exempt, id] : values.exempt.filter((other) => other !== id));
  return (
    <Section title={texts.settings} description={texts.settingsHint}>
      <Form onSubmit={() => void submit()}>
        <TextField label={texts.issuer} type="url" placeholder={texts.placeholder} hint={texts.issuerHint} autoComplete="off" {...form.field("issuer")} />
        <TextField label={texts.clientId} autoComplete="off" spellCheck={false} {...form.field("clientId")} />
        <TextField
          label={texts.clientSecret}
          type="password"
          optional={provider !== null}
          hint={provider ? texts.keptSecret : texts.secretHint}
          autoComplete="off"
          spellCheck={false}
          {...form.field("clientSecret")}
        />
        <TextField label={texts.groupsClaim} optional hint={texts.groupsClaimHint} autoComplete="off" spellCheck={false} {...form.field("groupsClaim")} />
        <TextArea label={texts.groups} optional hint={texts.groupsHint} spellCheck={false} {...form.field("groups")} />
        <SelectField label={texts.joinRole} options={Object.entries(texts.joinRoles).map(([value, label]) => ({ value, label }))} {...form.field("joinRole")} />
        <TextField label={texts.joinDomains} optional hint={texts.joinDomainsHint} autoComplete="off" spellCheck={false} {...form.field("joinDomains")} />
        <Switch label={texts.trustsFactor} hint={texts.trustsFactorHint} checked={values.trustsFactor} onChange={(on) => form.set("trustsFactor", on)} />
        <Switch label={texts.required} hint={texts.requiredHint} checked={values.required} onChange={(on) => form.set("required", on)} />
        <fieldset>
          <legend>{texts.exempt}</legend>
          {members
            .filter(({ role }) => role === "owner")
            .map(({ id, name, email }) => (
              <Checkbox key={id} label={name} hint={email} checked={values.exempt.includes(id)} onChange={(on) => exempt(id, on)} />
            ))}
        </fieldset>
        <FormError>{form.errors.exempt ? texts.exemptRule : form.fault}</FormError>
        <FormActions>
          <Button type="submit" variant="primary" busy={form.busy} disabled={!form.changed}>
            {texts.save}
          </Button>
        </FormActions>
      </Form>
    </Section>
  );
}

function Persons({ state, onEnded }: { state: SignInProvider; onEnded: () => void }) {
  const members = useMembers();
  const [ending, setEnding] = useState("");
  const nameOf = (id: string) => members.find((member) => member.id === id)?.name ?? id;
  const end = async () => {
    await api.delete<Member>(`/v1/dashboard/members/${ending}/provider-account`);
    onEnded();
  };
  return (
    <Section title={texts.persons} description={texts.personsHint}>
      <Rows label={texts.persons} rows={state.persons} keyOf={({ memberId }) => memberId} empty={{ title: texts.nobody, text: texts.nobodyHint }}>
        {({ memberId, issuer, connectedAt }) => (
          <>
            <RowText name={nameOf(memberId)} note={texts.connected(new URL(issuer).host, shortDate(connectedAt))} />
            <RowActions>
              <Button onClick={() => setEnding(memberId)}>{texts.disconnect}</Button>
            </RowActions>
          </>
        )}
      </Rows>
      <ConfirmDialog open={ending !== ""} onClose={() => setEnding("")} title={texts.disconnectQuestion(nameOf(ending))} action={texts.disconnect} onConfirm={end}>
        {texts.disconnectWhy}
      </ConfirmDialog>
    </Section>
  );
}

function Remove({ onRemoved }: { onRemoved: (state: SignInProvider) => void }) {
  const [asking, setAsking] = useState(false);
  return (
    <Section title={texts.remove} description={texts.removeHint}>
      <FormActions>
        <Button onClick={() => setAsking(true)}>{texts.remove}</Button>
      </FormActions>
      <ConfirmDialog open={asking} onClose={() => setAsking(false)} title={texts.removeQuestion} action={texts.remove} onConfirm={async () => onRemoved(await api.delete<SignInProvider>(path))}>
        {texts.removeWhy}
      </ConfirmDialog>
    </Section>
  );
}
