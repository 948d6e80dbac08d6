// Signing in with the workspace's OpenID Connect provider.
import { useSearchParams } from "wouter";
import { api } from "../api/client";
import type { OfferedProvider, ProviderAddress, SignInStep } from "../api/types";
import { useQuery } from "../api/useQuery";
import { Button, ErrorState, FormError, Spinner, useForm } from "../kit";
import { Frame } from "./Frame";
import styles from "./SignIn.module.css";
import { texts } from "./provider.texts";
import { refusedText } from "./refused";
import { texts as stepTexts } from "./texts";

const path = "/v1/dashboard/session/provider";

/** The step that a second factor needs after the provider, which the address names. */
export function stepIn(params: URLSearchParams): SignInStep | null {
  const step = params.get("step");
  return step === "code" || step === "setUp" ? { step, workspace: { id: "", name: "" } } : null;
}

/** The button of the provider with which members may sign in, if there is one. */
export function ProviderButton() {
  const [params] = useSearchParams();
  const offered = useQuery<OfferedProvider>(path, { workspaceId: params.get("workspace") });
  return (
    <>
      <FormError>{refusedText(params.get("refused"))}</FormError>
      {offered.data?.provider && <Begin provider={offered.data.provider} next={params.get("next")} />}
    </>
  );
}

function Begin({ provider, next }: { provider: NonNullable<OfferedProvider["provider"]>; next: string | null }) {
  const form = useForm({}, async () => {
    const { address } = await api.post<ProviderAddress>(path, { workspaceId: provider.workspaceId, ...(next?.startsWith("/") && { next }) }, { open: true });
    location.assign(address);
  });
  return (
    <>
      <Button busy={form.busy} onClick={() => void form.submit()}>
        {texts.signInWith(new URL(provider.issuer).host)}
      </Button>
      <FormError>{form.fault}</FormError>
    </>
  );
}

/** The step of a member whose password was right, in a workspace that requires its provider. */
export function ProviderStep({ step, onBack }: { step: SignInStep; onBack: () => void }) {
  const [params] = useSearchParams();
  const offered = useQuery<OfferedProvider>(path, { workspaceId: step.workspace.id });
  const provider = offered.data?.provider;
  return (
    <Frame title={texts.title} lead={texts.lead(step.workspace.name)}>
      {offered.error ? <ErrorState error={offered.error} onRetry={offered.reload} /> : !offered.data && <Spinner />}
      {provider && <Begin provider={provider} next={params.get("next")} />}
      {offered.data && !provider && <p className={styles.quiet}>{texts.none}</p>}
      <Button variant="ghost" onClick={onBack}>
        {stepTexts.secondStep.back}
      </Button>
    </Frame>
  );
}
