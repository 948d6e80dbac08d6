import { useState } from "react";
import { ApiError } from "../api/client";
import type { SecondFactorSetUp } from "../api/types";
import { Button, CopyField, Form, FormError, TextField, useForm } from "../kit";
import { qrPath, quietZone } from "../settings/pairingstep";
import css from "./factor.module.css";
import { texts } from "./texts";

/** The error, with a sentence of its own if the key is too old. */
function over(error: unknown): Error {
  if (error instanceof ApiError && "setUp" in error.fields) return new Error(texts.setUp.over, { cause: error });
  return error instanceof Error ? error : new Error(String(error));
}

/** Shows the key of a second factor, and sends its first code. */
export function SetUp({ made, send }: { made: SecondFactorSetUp; send: (setUp: string, code: string) => Promise<void> }) {
  const form = useForm(
    { code: "" },
    ({ code }) => send(made.setUp, code).catch((error: unknown) => Promise.reject(over(error))),
    ({ code }) => ({ ...(code.trim() === "" && { code: texts.setUp.codeMissing }) }),
  );
  const size = made.qr.length + 2 * quietZone;
  return (
    <Form onSubmit={() => void form.submit()}>
      <p>{texts.setUp.scan}</p>
      <svg className={css.qr} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={texts.setUp.qrCode} shapeRendering="crispEdges">
        <path d={qrPath(made.qr)} />
      </svg>
      <p>{texts.setUp.orType}</p>
      <CopyField label={texts.setUp.key} value={made.secret} />
      <TextField label={texts.setUp.code} hint={texts.setUp.codeHint} inputMode="numeric" autoComplete="one-time-code" {...form.field("code")} />
      <FormError>{form.fault}</FormError>
      <Button type="submit" variant="primary" busy={form.busy}>
        {texts.setUp.confirm}
      </Button>
    </Form>
  );
}

/** Shows recovery codes, to copy or print. */
export function RecoveryCodeList({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(codes.join("\n"));
      setCopied(true);
    } catch {
      // Browsers refuse it on insecure pages; the codes can be selected.
    }
  };
  return (
    <div className={css.stack}>
      <p>{texts.recovery.why}</p>
      <ul className={css.codes} aria-label={texts.recovery.list}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={css.buttons}>
        <Button onClick={() => void copy()}>
          <span aria-live="polite">{copied ? texts.recovery.copied : texts.recovery.copy}</span>
        </Button>
        <Button onClick={() => window.print()}>{texts.recovery.print}</Button>
        <Button variant="primary" onClick={onDone}>
          {texts.recovery.done}
        </Button>
      </div>
    </div>
  );
}
