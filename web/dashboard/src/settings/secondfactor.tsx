// The second factor: the member's own, and what an owner requires of all.
import { useState } from "react";
import { api } from "../api/client";
import type { Me, RecoveryCodes, SecondFactor, SecondFactors, SecondFactorSetUp } from "../api/types";
import { useQuery } from "../api/useQuery";
import { keepDevice } from "../device/push";
import { RecoveryCodeList, SetUp } from "../factor/SetUp";
import { Button, ConfirmDialog, Dialog, ErrorState, FormDialog, Section, shortDate, SkeletonRows, Switch, TextField, useAction, useForm, useToast } from "../kit";
import { useMe, useMembers } from "../sync";
import { texts } from "./secondfactor.texts";
import css from "./settings.module.css";

const path = "/v1/dashboard/second-factor";
export const factorsPath = "/v1/dashboard/second-factors";

/** What the member is about to do; each begins with the password. */
type Doing = "setUp" | "renew" | "turnOff";

export function SecondFactorSection({ onRenewed }: { onRenewed: () => void }) {
  const own = useQuery<SecondFactor>(path);
  const [doing, setDoing] = useState<Doing | null>(null);
  const factor = own.data;
  const close = () => {
    setDoing(null);
    own.reload();
    onRenewed();
  };
  return (
    <Section title={texts.own.title} description={texts.own.description}>
      {own.error ? <ErrorState error={own.error} onRetry={own.reload} /> : !factor && <SkeletonRows />}
      {factor && (
        <>
          <p>{factor.since === null ? (factor.required ? texts.own.noneRequired : texts.own.none) : texts.own.since(shortDate(factor.since), factor.recoveryCodes)}</p>
          <div className={css.buttons}>
            <Button onClick={() => setDoing("setUp")}>{factor.since === null ? texts.own.setUp : texts.own.another}</Button>
            {factor.since !== null && <Button onClick={() => setDoing("renew")}>{texts.own.renew}</Button>}
            {factor.since !== null && !factor.required && <Button onClick={() => setDoing("turnOff")}>{texts.own.turnOff}</Button>}
          </div>
        </>
      )}
      {doing && <Change doing={doing} onClose={close} />}
    </Section>
  );
}

function Change({ doing, onClose }: { doing: Doing; onClose: () => void }) {
  const me = useMe();
  const toast = useToast();
  const [made, setMade] = useState<SecondFactorSetUp | null>(null);
  const [codes, setCodes] = useState<readonly string[]>([]);
  const form = useForm(
    { current: "" },
    async (password) => {
      if (doing === "setUp") setMade(await api.post<SecondFactorSetUp>(path, password));
      else if (doing === "renew") setCodes((await api.post<RecoveryCodes>(`${path}/recovery-codes`, password)).recoveryCodes);
      else {
        await api.post<Me>(`${path}/off`, password);
        toast.done(texts.own.off);
        void keepDevice().catch(() => undefined); // the session is new; the next page tries again
        onClose();
      }
    },
    ({ current }) => ({ ...(current === "" && { current: texts.own.passwordMissing }) }),
  );
  const send = async (setUp: string, code: string) => {
    setCodes((await api.put<RecoveryCodes>(path, { setUp, code })).recoveryCodes);
    toast.done(texts.own.on);
    void keepDevice().catch(() => undefined);
  };
  if (codes.length > 0) {
    return (
      <Dialog open once onClose={onClose} title={texts.own.keepCodes}>
        <RecoveryCodeList codes={codes} onDone={onClose} />
      </Dialog>
    );
  }
  if (made) {
    return (
      <Dialog open onClose={onClose} title={texts.own.title}>
        <SetUp made={made} send={send} />
      </Dialog>
    );
  }
  const titles = { setUp: texts.own.title, renew: texts.own.renew, turnOff: texts.own.turnOffQuestion };
  return (
    <FormDialog
      title={titles[doing]}
      description={doing === "renew" ? texts.own.renewEnds : texts.own.endsSessions}
      action={doing === "turnOff" ? texts.own.turnOff : texts.own.continue}
      form={form}
      onClose={onClose}
    >
      {/* Password managers want to know whose password this is. */}
      <input type="email" autoComplete="username" value={me.email} readOnly hidden />
      <TextField label={texts.own.password} type="password" autoComplete="current-password" {...form.field("current")} />
    </FormDialog>
  );
}

/** Whether the owner requires a second factor of every member. */
export function RequireSection() {
  const all = useQuery<SecondFactors>(factorsPath);
  const me = useMe();
  const members = useMembers();
  const { busy, run } = useAction();
  const [asking, setAsking] = useState(false);
  const set = async (requireSecondFactor: boolean) => all.set(await api.patch<SecondFactors>(factorsPath, { requireSecondFactor }));
  const ready = all.data && (all.data.requireSecondFactor || all.data.memberIds.includes(me.id));
  const without = members.filter((member) => !all.data?.memberIds.includes(member.id)).length;
  return (
    <Section title={texts.workspace.title} description={texts.workspace.description}>
      {all.error ? <ErrorState error={all.error} onRetry={all.reload} /> : !all.data && <SkeletonRows />}
      {all.data && (
        <Switch
          label={texts.workspace.require}
          hint={ready ? texts.workspace.requireHint : texts.workspace.ownFirst}
          checked={all.data.requireSecondFactor}
          disabled={busy || !ready}
          onChange={(required) => (required ? setAsking(true) : void run(() => set(false), texts.workspace.notRequired))}
        />
      )}
      <ConfirmDialog open={asking} onClose={() => setAsking(false)} title={texts.workspace.requireQuestion} action={texts.workspace.requireNow} danger={false} onConfirm={() => set(true)}>
        {texts.workspace.signedOut(without)}
      </ConfirmDialog>
    </Section>
  );
}
