// The second step of signing in: a code, or the set-up of a second factor that
// the workspace requires.
import { useEffect, useState } from "react";
import { api, ApiError } from "../api/client";
import type { Me, RecoveryCodes, SecondFactorSetUp, SignInStep } from "../api/types";
import { RecoveryCodeList, SetUp } from "../factor/SetUp";
import { Button, ErrorState, Form, FormError, Spinner, TextField, useForm } from "../kit";
import { Frame } from "./Frame";
import { ProviderStep } from "./Provider";
import styles from "./SignIn.module.css";
import { texts } from "./texts";

interface StepProps {
  step: SignInStep;
  onDone: () => void;
  onBack: () => void;
}

export function SecondStep(props: StepProps) {
  if (props.step.step === "provider") return <ProviderStep {...props} />;
  return props.step.step === "code" ? <CodeStep {...props} /> : <SetUpStep {...props} />;
}

/** Says that the half session has ended, as the server does by 401. */
function expired(error: unknown): unknown {
  if (error instanceof ApiError && error.status === 401) return new Error(texts.secondStep.expired, { cause: error });
  if (error instanceof ApiError && error.status === 429 && error.retryAfter) {
    return new Error(texts.signInPage.tooManyAttempts(Math.ceil(error.retryAfter / 60)), { cause: error });
  }
  return error;
}

function CodeStep({ step, onDone, onBack }: StepProps) {
  const [recovery, setRecovery] = useState(false);
  const form = useForm(
    { code: "" },
    async ({ code }) => {
      try {
        await api.post<Me>("/v1/dashboard/session/code", { code }, { open: true });
      } catch (error) {
        throw expired(error);
      }
      onDone();
    },
    ({ code }) => ({ ...(code.trim() === "" && { code: texts.secondStep.noCode }) }),
  );
  const other = () => {
    setRecovery((was) => !was);
    form.reset({ code: "" });
  };
  return (
    <Frame title={texts.secondStep.title} lead={recovery ? texts.secondStep.leadRecovery : texts.secondStep.lead(step.workspace.name)}>
      <div className={styles.panel}>
        <Form onSubmit={() => void form.submit()}>
          <TextField
            key={String(recovery)}
            label={recovery ? texts.secondStep.recoveryCode : texts.secondStep.code}
            inputMode={recovery ? "text" : "numeric"}
            autoComplete={recovery ? "off" : "one-time-code"}
            autoFocus
            {...form.field("code")}
          />
          <FormError>{form.fault}</FormError>
          <Button type="submit" variant="primary" busy={form.busy} className={styles.submit ?? ""}>
            {texts.secondStep.signIn}
          </Button>
        </Form>
      </div>
      <Button variant="ghost" onClick={other}>
        {recovery ? texts.secondStep.useTheApp : texts.secondStep.useARecoveryCode}
      </Button>
      <Button variant="ghost" onClick={onBack}>
        {texts.secondStep.back}
      </Button>
      <p className={styles.quiet}>{texts.secondStep.lost}</p>
    </Frame>
  );
}

function SetUpStep({ step, onDone, onBack }: StepProps) {
  const [made, setMade] = useState<SecondFactorSetUp | null>(null);
  const [codes, setCodes] = useState<readonly string[]>([]);
  const [error, setError] = useState<unknown>(null);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    let gone = false;
    api.post<SecondFactorSetUp>("/v1/dashboard/session/second-factor", undefined, { open: true }).then(
      (answer) => !gone && setMade(answer),
      (fault: unknown) => !gone && setError(expired(fault)),
    );
    return () => {
      gone = true;
    };
  }, [turn]);
  const send = async (setUp: string, code: string) => {
    try {
      const answer = await api.put<RecoveryCodes>("/v1/dashboard/session/second-factor", { setUp, code }, { open: true });
      setCodes(answer.recoveryCodes);
    } catch (fault) {
      throw expired(fault);
    }
  };
  if (codes.length > 0) {
    return (
      <Frame title={texts.secondStep.keepCodes}>
        <div className={styles.panel}>
          <RecoveryCodeList codes={codes} onDone={onDone} />
        </div>
      </Frame>
    );
  }
  const retry = () => {
    setError(null);
    setTurn((n) => n + 1);
  };
  return (
    <Frame title={texts.secondStep.setUpTitle} lead={texts.secondStep.required(step.workspace.name)}>
      <div className={styles.panel}>
        {error !== null && <ErrorState error={error} onRetry={retry} />}
        {error === null && (made === null ? <Spinner /> : <SetUp made={made} send={send} />)}
      </div>
      <Button variant="ghost" onClick={onBack}>
        {texts.secondStep.back}
      </Button>
    </Frame>
  );
}
