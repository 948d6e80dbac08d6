// The member's own page: their profile, their password, their sessions.
import { useState } from "react";
import { api } from "../api/client";
import type { Me, Member } from "../api/types";
import { useQuery } from "../api/useQuery";
import { Avatar, Button, chunk, Form, FormActions, FormError, fullTime, Page, Section, TextField, useForm, useToast, useUnsaved } from "../kit";
import { keepDevice } from "../device/push";
import { useLearn, useMe } from "../sync";
import { LanguageSection } from "./language";
import { roleName } from "./roles";
import { SecondFactorSection } from "./secondfactor";
import { Sessions } from "./sessions";
import css from "./settings.module.css";
import { texts } from "./texts";
import { WorkSection } from "./work";

const ProviderSection = chunk(() => import("./provideraccount").then((m) => m.ProviderSection));

export function ProfilePage() {
  // Another password or second factor ends sessions, so that they are read again.
  const [turn, setTurn] = useState(0);
  const renewed = () => setTurn((n) => n + 1);
  return (
    <Page title={texts.profile.yourProfile}>
      <Details />
      <LanguageSection />
      <WorkSection />
      <Password onRenewed={renewed} />
      <SecondFactorSection onRenewed={renewed} />
      <ProviderSection />
      <Sessions key={turn} />
    </Page>
  );
}

function Details() {
  const me = useMe();
  const learn = useLearn();
  const toast = useToast();
  const form = useForm({ name: me.name, image: me.image }, async (values) => {
    learn("member", await api.patch<Member>(`/v1/dashboard/members/${me.id}`, values));
    toast.done(texts.profile.profileSaved);
  });
  useUnsaved(form.changed);
  return (
    <Section title={texts.profile.whoYouAre} description={`${me.email} · ${roleName(me.role)}`}>
      <Form onSubmit={() => void form.submit()}>
        <TextField label={texts.profile.name} hint={texts.profile.customersSeeItNext} autoComplete="name" {...form.field("name")} />
        <div className={css.picture}>
          <Avatar id={me.id} name={form.values.name} image={form.values.image} size={48} />
          <TextField label={texts.profile.pictureUrl} optional type="url" placeholder={texts.profile.https} {...form.field("image")} />
        </div>
        <FormError>{form.fault}</FormError>
        <FormActions>
          <Button type="submit" variant="primary" busy={form.busy} disabled={!form.changed}>
            {texts.profile.save}
          </Button>
        </FormActions>
      </Form>
    </Section>
  );
}

const emptyPassword = { current: "", next: "", again: "" };

function Password({ onRenewed }: { onRenewed: () => void }) {
  const toast = useToast();
  const me = useMe();
  const signedIn = useQuery<Me>("/v1/dashboard/session");
  const form = useForm(
    emptyPassword,
    async ({ current, next }) => {
      await api.put<Me>("/v1/dashboard/password", { current, next });
      toast.done(texts.profile.passwordChanged);
      void keepDevice().catch(() => undefined); // the session is new; the next page tries again
    },
    ({ current, next, again }) => ({
      ...(current === "" && { current: texts.profile.wrongPassword }),
      ...(Array.from(next).length < 12 && { next: texts.profile.shortPassword }),
      ...(next !== again && { again: texts.profile.differentPassword }),
    }),
  );

  useUnsaved(form.changed);

  async function save() {
    if (!(await form.submit())) return;
    form.reset(emptyPassword);
    onRenewed();
  }

  const reset = signedIn.data?.passwordReset;
  return (
    <Section title={texts.profile.password} description={texts.profile.changingItEndsAll}>
      {reset && <p role="note">{texts.profile.reset(reset.by.type === "member" ? reset.by.name : "", fullTime(reset.at))}</p>}
      <Form onSubmit={() => void save()}>
        {/* Password managers want to know whose password this is. */}
        <input type="email" autoComplete="username" value={me.email} readOnly hidden />
        <TextField label={texts.profile.currentPassword} type="password" autoComplete="current-password" {...form.field("current")} />
        <div className={css.pair}>
          <TextField label={texts.profile.newPassword} type="password" autoComplete="new-password" hint={texts.profile.passwordHint} maxLength={128} {...form.field("next")} />
          <TextField label={texts.profile.repeatNewPassword} type="password" autoComplete="new-password" maxLength={128} {...form.field("again")} />
        </div>
        <FormError>{form.fault}</FormError>
        <FormActions>
          <Button type="submit" busy={form.busy} disabled={!form.changed}>
            {texts.profile.changeThePassword}
          </Button>
        </FormActions>
      </Form>
    </Section>
  );
}
