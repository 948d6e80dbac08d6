// The question whether the member is still there, before what changes who gets in. Any request may be refused until it
// is answered, so the dialog stands beside the page, in a root of its own.
import { useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import { api, ApiError, SIGNED_OUT } from "../api/client";
import type { Confirmation, Member, OfferedProvider, ProviderAddress, Ref } from "../api/types";
import { Button, Dialog, FormDialog, FormError, TextField, useForm } from "../kit";
import { texts } from "./texts";

const path = "/v1/dashboard/session/confirm";
const providerPath = "/v1/dashboard/session/provider";

/** The longest address of a page to which a sign-in leads back, in characters. */
const maxNext = 500;

type Provider = OfferedProvider["provider"];

/** How long a confirmation must last for what begins now, in ms. */
const least = 10_000;

let asking: Promise<void> | null = null;

/**
 * Asks once for all that wait. Rejects if the member does not confirm. Whatever was refused before another question was
 * answered needs none; `anew` asks nevertheless.
 */
export function confirm(anew = false): Promise<void> {
  return (asking ??= ask(anew).finally(() => (asking = null)));
}

const lasts = (until: string | null) => until !== null && Date.parse(until) - Date.now() >= least;

/** Asks if the session is not confirmed, before what shows no refusal, such as a download. */
export async function confirmFirst(): Promise<void> {
  const { confirmedUntil } = await api.get<Confirmation>(path);
  if (!lasts(confirmedUntil)) await confirm(true);
}

async function ask(anew: boolean) {
  const [how, { member, workspace }] = await Promise.all([api.get<Confirmation>(path), api.get<{ member: Member; workspace: Ref }>("/v1/dashboard/session")]);
  if (lasts(how.confirmedUntil) && !anew) return;
  const again = how.byProvider || !how.password;
  const provider = again ? (await api.get<OfferedProvider>(providerPath, { workspaceId: workspace.id })).provider : null;
  // An open dialog closes when the focus leaves it for what stands beside it, unless it has seen the focus itself. It
  // overlooks that of a field that has it from the start.
  for (const dialog of document.querySelectorAll("[role=dialog]")) dialog.dispatchEvent(new FocusEvent("focusin"));
  await new Promise<void>((resolve, reject) => {
    const place = document.body.appendChild(document.createElement("div"));
    // Equal ids of two roots would be one element for the dialogs.
    const root = createRoot(place, { identifierPrefix: "confirm" });
    const end = (settle: () => void) => () => {
      settle();
      // The dialog gives the focus back first.
      setTimeout(() => {
        root.unmount();
        place.remove();
      }, 300);
    };
    root.render(<Question how={how} provider={provider} email={member.email} onConfirmed={end(resolve)} onCancel={end(() => reject(new Error(texts.cancelled)))} />);
  });
}

interface QuestionProps {
  how: Confirmation;
  /** With which the member may sign in again instead. */
  provider: Provider;
  email: string;
  onConfirmed: () => void;
  onCancel: () => void;
}

/** Leads to the provider, which asks who the member is, and back to this page. */
function SignInAgain({ provider }: { provider: NonNullable<Provider> }) {
  const form = useForm({}, async () => {
    const whole = location.pathname + location.search;
    const next = whole.length > maxNext ? location.pathname : whole;
    const { address } = await api.post<ProviderAddress>(providerPath, { workspaceId: provider.workspaceId, next, confirm: true }, { open: true });
    location.assign(address);
  });
  return (
    <>
      <p>{texts.leaves}</p>
      <Button busy={form.busy} onClick={() => void form.submit()}>
        {texts.signInAgain(new URL(provider.issuer).host)}
      </Button>
      <FormError>{form.fault}</FormError>
    </>
  );
}

function Question({ how, provider, email, onConfirmed, onCancel }: QuestionProps) {
  const [open, setOpen] = useState(true);
  const [abort] = useState(() => new AbortController());
  const cancel = () => {
    abort.abort(); // the answer may be on its way
    setOpen(false);
    onCancel();
  };
  useEffect(() => {
    if (!open) return;
    // The dialog below, in another root, would take the key for its own.
    const escape = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      cancel();
    };
    window.addEventListener("keydown", escape, true);
    window.addEventListener(SIGNED_OUT, cancel);
    // What waits belongs to the page that is left.
    window.addEventListener("popstate", cancel);
    return () => {
      window.removeEventListener("keydown", escape, true);
      window.removeEventListener(SIGNED_OUT, cancel);
      window.removeEventListener("popstate", cancel);
    };
  });
  const form = useForm(
    { current: "", code: "" },
    async ({ current, code }) => {
      await api.post<Confirmation>(path, how.code ? { current, code } : { current }, { signal: abort.signal }).catch((error: unknown) => {
        throw error instanceof ApiError && error.status === 429 && error.retryAfter ? new Error(texts.tooMany(Math.ceil(error.retryAfter / 60)), { cause: error }) : error;
      });
      setOpen(false);
      onConfirmed();
    },
    ({ current, code }) => ({ ...(current === "" && { current: texts.passwordMissing }), ...(how.code && code.trim() === "" && { code: texts.codeMissing }) }),
  );
  if (!open) return null;
  if (!how.password) {
    return (
      <Dialog open onClose={cancel} title={texts.title} description={provider ? texts.why : texts.noPassword} footer={<Button onClick={cancel}>{texts.cancel}</Button>}>
        {provider && <SignInAgain provider={provider} />}
      </Dialog>
    );
  }
  return (
    <FormDialog title={texts.title} description={texts.why} action={texts.confirm} form={form} onClose={cancel}>
      {/* Password managers want to know whose password this is. */}
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <TextField label={texts.password} type="password" autoComplete="current-password" autoFocus {...form.field("current")} />
      {how.code && <TextField label={texts.code} hint={texts.codeHint} autoComplete="one-time-code" {...form.field("code")} />}
      {provider && <SignInAgain provider={provider} />}
    </FormDialog>
  );
}
