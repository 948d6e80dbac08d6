import { useEffect, useState } from "react";
import { api, ApiError } from "../api/client";
import type { Me, OpenedInvitation, SignInStep } from "../api/types";
import { Button, ButtonLink, EmptyState, ErrorState, Form, FormError, readStored, Spinner, TextField, useForm, writeStored } from "../kit";
import { Frame } from "./Frame";
import { SecondStep } from "./SecondStep";
import styles from "./SignIn.module.css";
import { texts } from "./texts";

const tokenKey = "parley.invitation";

/**
 * Accepts an invitation or sets a new password. The token is behind the #, so that it reaches no log, and the tab
 * stores it, so that it survives a reload.
 */
export function InvitePage() {
  const [token] = useState(() => location.hash.slice(1) || (readStored(tokenKey, "sessionStorage") ?? ""));
  const [opened, setOpened] = useState<OpenedInvitation | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    writeStored(tokenKey, token, "sessionStorage");
    // Removed from the address, and so from the history and from screenshots.
    history.replaceState(history.state, "", "/invite");
    api.post<OpenedInvitation>("/v1/dashboard/invitations/open", { token }, { open: true }).then(setOpened, (fault: unknown) => {
      if (fault instanceof ApiError && !fault.passing) writeStored(tokenKey, null, "sessionStorage");
      setError(fault);
    });
  }, [token, turn]);
  if (error instanceof ApiError && !error.passing) {
    return (
      <Frame title={texts.invitePage.linkEnded}>
        <EmptyState title={texts.invitePage.whyEnded} action={<ButtonLink href="/signin">{texts.invitePage.signIn}</ButtonLink>}>
          {texts.invitePage.askAnAdmin}
        </EmptyState>
      </Frame>
    );
  }
  if (error) {
    const retry = () => {
      setError(null);
      setTurn((n) => n + 1);
    };
    return (
      <Frame title={texts.invitePage.invitation}>
        <ErrorState error={error} onRetry={retry} />
      </Frame>
    );
  }
  if (!opened) {
    return (
      <Frame title={texts.invitePage.invitation}>
        <Spinner />
      </Frame>
    );
  }
  return <Accept token={token} opened={opened} />;
}

function Accept({ token, opened }: { token: string; opened: OpenedInvitation }) {
  const reset = opened.memberId !== null;
  const [step, setStep] = useState<SignInStep | null>(null);
  const enter = () => location.assign("/inbox?status=open");
  const form = useForm(
    { name: "", password: "", again: "" },
    async ({ name, password }) => {
      const body = { token, password, ...(!reset && { name: name.trim() }) };
      const answer = await api.post<Me | SignInStep>("/v1/dashboard/invitations/accept", body, { open: true });
      writeStored(tokenKey, null, "sessionStorage");
      if ("step" in answer) setStep(answer);
      else enter();
    },
    ({ name, password, again }) => ({
      ...(!reset && !name.trim() && { name: texts.invitePage.yourNameIsMissing }),
      ...(Array.from(password).length < 12 && { password: texts.invitePage.shortPassword }),
      ...(password !== again && { again: texts.invitePage.differentPasswords }),
    }),
  );
  if (step) return <SecondStep step={step} onDone={enter} onBack={() => location.assign("/signin")} />;
  return (
    <Frame
      title={reset ? texts.invitePage.newPasswordTitle : texts.invitePage.join(opened.workspace.name)}
      lead={reset ? texts.invitePage.resetFor(opened.email) : texts.invitePage.youWereInvitedAs(opened.email)}
    >
      <div className={styles.panel}>
        <Form onSubmit={() => void form.submit()}>
          {/* Tells password managers whose password this is. */}
          <input type="hidden" name="username" autoComplete="username" value={opened.email} readOnly />
          {!reset && <TextField label={texts.invitePage.yourName} autoComplete="name" autoFocus hint={texts.invitePage.nameHint} {...form.field("name")} />}
          <TextField
            label={reset ? texts.invitePage.newPassword : texts.invitePage.password}
            type="password"
            autoComplete="new-password"
            autoFocus={reset}
            hint={texts.invitePage.passwordHint}
            {...form.field("password")}
          />
          <TextField label={texts.invitePage.repeatPassword} type="password" autoComplete="new-password" {...form.field("again")} />
          <FormError>{form.fault}</FormError>
          <Button type="submit" variant="primary" busy={form.busy} className={styles.submit ?? ""}>
            {reset ? texts.invitePage.savePassword : texts.invitePage.joinNow}
          </Button>
        </Form>
      </div>
    </Frame>
  );
}
