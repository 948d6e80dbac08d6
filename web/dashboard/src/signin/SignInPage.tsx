import { ChevronRight } from "lucide-react";
import { useState } from "react";
import { useSearchParams } from "wouter";
import { useHistoryState } from "wouter/use-browser-location";
import { api, ApiError, errorText } from "../api/client";
import type { Me, Ref, SignInStep, WorkspaceChoice } from "../api/types";
import { Button, Form, FormError, TextField, useForm } from "../kit";
import { Frame } from "./Frame";
import { ProviderButton, stepIn } from "./Provider";
import { SecondStep } from "./SecondStep";
import styles from "./SignIn.module.css";
import { texts } from "./texts";

/**
 * The address to open after signing in. Only addresses of this server are allowed, so that a link cannot lead
 * elsewhere.
 */
export function safeNext(next: string | null): string {
  // The URL parser drops tabs and line ends, so only its result says where the
  // text leads.
  const url = next?.startsWith("/") && URL.canParse(next, location.origin) ? new URL(next, location.origin) : undefined;
  if (!url || url.origin !== location.origin || url.pathname.startsWith("/signin")) return "/";
  return url.pathname + url.search + url.hash;
}

export function SignInPage() {
  const [params] = useSearchParams();
  const waiting = Number(useHistoryState<{ waiting?: unknown } | null>()?.waiting) || 0;
  const [workspaces, setWorkspaces] = useState<readonly Ref[]>([]);
  const [step, setStep] = useState<SignInStep | null>(() => stepIn(params));
  // A full page load discards everything of the previous session.
  const enter = () => location.assign(safeNext(params.get("next")));
  const form = useForm(
    { email: "", password: "", workspaceId: "" },
    async ({ email, password, workspaceId }) => {
      const answer = await signIn({ email: email.trim(), password, ...(workspaceId && { workspaceId }) });
      if ("workspaces" in answer) setWorkspaces(answer.workspaces);
      else if ("step" in answer) setStep(answer);
      else enter();
    },
    ({ email, password }) => ({ ...(!email.trim() && { email: texts.signInPage.noEMail }), ...(!password && { password: texts.signInPage.noPassword }) }),
  );
  const again = () => {
    setStep(null);
    setWorkspaces([]);
    form.set("password", "");
  };
  if (step) return <SecondStep step={step} onDone={enter} onBack={again} />;
  if (workspaces.length > 0) return <Choose workspaces={workspaces} values={form.values} onDone={enter} onStep={setStep} onBack={again} />;
  return (
    <Frame title={texts.signInPage.signIn} lead={texts.signInPage.toYourTeamsConversations}>
      {waiting > 0 && (
        <p role="status" className={styles.quiet}>
          {texts.signInPage.kept(waiting)}
        </p>
      )}
      <div className={styles.panel}>
        <Form onSubmit={() => void form.submit()}>
          <TextField label={texts.signInPage.eMail} type="email" autoComplete="username" autoFocus inputMode="email" {...form.field("email")} />
          <TextField label={texts.signInPage.password} type="password" autoComplete="current-password" {...form.field("password")} />
          <FormError>{form.fault}</FormError>
          <Button type="submit" variant="primary" busy={form.busy} className={styles.submit ?? ""}>
            {texts.signInPage.signIn}
          </Button>
        </Form>
      </div>
      <ProviderButton />
      <Forgotten email={form.values.email.trim()} />
      <p className={styles.quiet}>{texts.signInPage.forgotPassword}</p>
    </Frame>
  );
}

/** Asks for a link by mail. The answer is the same whether the address is a member's. */
function Forgotten({ email }: { email: string }) {
  const [said, setSaid] = useState("");
  const [busy, setBusy] = useState(false);
  const ask = async () => {
    if (email === "") {
      setSaid(texts.signInPage.writeEMail);
      return;
    }
    setBusy(true);
    try {
      await api.post("/v1/dashboard/password/forgot", { email }, { open: true });
      setSaid(texts.signInPage.onItsWay(email));
    } catch (error) {
      setSaid(error instanceof ApiError && error.status === 409 ? texts.signInPage.noMail : errorText(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className={styles.quiet}>
      <Button variant="ghost" busy={busy} onClick={() => void ask()}>
        {texts.signInPage.sendLink}
      </Button>
      <p role="status">{said}</p>
    </div>
  );
}

interface Credentials {
  email: string;
  password: string;
  workspaceId?: string;
}

async function signIn(credentials: Credentials): Promise<Me | WorkspaceChoice | SignInStep> {
  try {
    return await api.post<Me | WorkspaceChoice | SignInStep>("/v1/dashboard/session", credentials, { open: true });
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) throw new Error(texts.signInPage.wrong, { cause: error });
    if (error instanceof ApiError && error.status === 429 && error.retryAfter) throw new Error(texts.signInPage.tooManyAttempts(Math.ceil(error.retryAfter / 60)), { cause: error });
    throw error;
  }
}

interface ChooseProps {
  workspaces: readonly Ref[];
  values: Credentials;
  onDone: () => void;
  onStep: (step: SignInStep) => void;
  onBack: () => void;
}

function Choose({ workspaces, values, onDone, onStep, onBack }: ChooseProps) {
  const [fault, setFault] = useState("");
  const choose = async (workspaceId: string) => {
    try {
      const answer = await signIn({ email: values.email.trim(), password: values.password, workspaceId });
      if ("step" in answer) onStep(answer);
      else onDone();
    } catch (error) {
      setFault(errorText(error));
    }
  };
  return (
    <Frame title={texts.signInPage.chooseAWorkspace} lead={texts.signInPage.severalWorkspaces(values.email.trim())}>
      <ul className={styles.choices}>
        {workspaces.map((workspace, index) => (
          <li key={workspace.id}>
            <button type="button" className={styles.choice} autoFocus={index === 0} onClick={() => void choose(workspace.id)}>
              {workspace.name}
              <ChevronRight size={16} aria-hidden />
            </button>
          </li>
        ))}
      </ul>
      <FormError>{fault}</FormError>
      <Button variant="ghost" onClick={onBack}>
        {texts.signInPage.useAnotherAccount}
      </Button>
    </Frame>
  );
}
