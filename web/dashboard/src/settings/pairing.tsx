// Pairing a number with its phone: the newest step, live, wherever the pairing
// was started.
import { CircleCheck, CircleX, TimerOff } from "lucide-react";
import { useCallback, useEffect, useState, type ReactNode } from "react";
import { api, ApiError, errorText } from "../api/client";
import type { ChatNumber, PairBy, Pairing } from "../api/numbers";
import { Button, CopyButton, FormError, Spinner, useAction } from "../kit";
import { useLearn, useOnSignal } from "../sync";
import { isOver, newerStep, qrPath, quietZone, secondsLeft } from "./pairingstep";
import css from "./settings.module.css";
import { texts } from "./numbers.texts";

/** How often the step is read during a pairing: if another process runs it, there are no signals. */
const pollPause = 2000;

/** The newest step of a number's pairing, kept current. Null if there is none, or it has not been read. */
function usePairing(numberId: string) {
  const [step, setStep] = useState<Pairing | null>(null);
  const [fault, setFault] = useState("");
  const path = `/v1/dashboard/numbers/${numberId}/pairing`;
  const learnStep = useCallback((answer: Pairing) => {
    setFault("");
    setStep((known) => newerStep(known, answer));
  }, []);
  const read = useCallback(() => {
    api.get<Pairing>(path).then(learnStep, (error: unknown) => {
      if (error instanceof ApiError && error.status === 404) setStep(null);
      else setFault(errorText(error));
    });
  }, [path, learnStep]);
  useEffect(read, [read]);
  useOnSignal("pairing", (news) => {
    if (news.numberId !== numberId) return;
    if (news.kind === "") setStep(null);
    else read();
  });
  const going = step === null || !isOver(step);
  useEffect(() => {
    if (!going) return;
    const timer = setInterval(read, pollPause);
    return () => clearInterval(timer);
  }, [going, read]);
  const begin = useCallback(async (by: PairBy) => learnStep(await api.post<Pairing>(path, { by })), [path, learnStep]);
  return { step, fault, begin };
}

/** The panel below the row of a number during its pairing. onClose: nothing more will change. */
export function PairingPanel({ number, onClose }: { number: ChatNumber; onClose: () => void }) {
  const { step, fault, begin } = usePairing(number.id);
  const learn = useLearn();
  const { busy, run } = useAction();
  const kind = step?.kind;
  useEffect(() => {
    if (kind === "paired" && number.status === "connected") onClose();
  }, [kind, number.status, onClose]);
  const other: PairBy = step?.by === "code" ? "qr" : "code";

  async function stop() {
    const done = await run(async () => learn("number", await api.delete<ChatNumber>(`/v1/dashboard/numbers/${number.id}/pairing`)), texts.pairing.pairingCanceled);
    if (done) onClose();
  }

  return (
    <section className={css.below} aria-label={texts.pairing.pairing(number.phone)}>
      {step === null ? (
        <p className={css.quiet}>
          <Spinner /> {texts.pairing.loading}
        </p>
      ) : (
        <Step step={step} number={number} />
      )}
      <FormError>{fault}</FormError>
      <div className={css.buttons}>
        {step && !isOver(step) && (
          <>
            <Button busy={busy} onClick={() => void run(() => begin(other), other === "qr" ? texts.pairing.requestingAQrCode : texts.pairing.requestingATypedCode)}>
              {other === "qr" ? texts.pairing.useAQrCodeInstead : texts.pairing.useACodeToType}
            </Button>
            <Button variant="ghost" onClick={() => void stop()}>
              {texts.pairing.cancelPairing}
            </Button>
          </>
        )}
        {step && isOver(step) && (
          <>
            {kind !== "paired" && (
              <Button variant="primary" busy={busy} onClick={() => void run(() => begin(step.by), texts.pairing.pairingRestarted)}>
                {texts.pairing.tryAgain}
              </Button>
            )}
            <Button onClick={onClose}>{texts.pairing.close}</Button>
          </>
        )}
      </div>
    </section>
  );
}

function Step({ step, number }: { step: Pairing; number: ChatNumber }) {
  switch (step.kind) {
    case "paired":
      return (
        <Ended icon={<CircleCheck size={18} aria-hidden />} title={texts.pairing.isPaired(number.phone)}>
          {texts.pairing.itIsConnectingNow}
        </Ended>
      );
    case "expired":
      return (
        <Ended icon={<TimerOff size={18} aria-hidden />} title={texts.pairing.theCodeHasExpired}>
          {texts.pairing.whatsappShowsAFewCodes}
        </Ended>
      );
    case "refused":
      return (
        <Ended icon={<CircleX size={18} aria-hidden />} title={texts.pairing.thePairingWasRefused}>
          {step.reason || texts.pairing.whatsappGaveNoReason}
        </Ended>
      );
    default:
      return <OpenStep step={step} number={number} />;
  }
}

function Ended({ icon, title, children }: { icon: ReactNode; title: string; children: ReactNode }) {
  return (
    <div role="status" className={css.stack}>
      <h3 className={css.picture}>
        {icon}
        <span>{title}</span>
      </h3>
      <p className={css.quiet}>{children}</p>
    </div>
  );
}

function OpenStep({ step, number }: { step: Pairing; number: ChatNumber }) {
  const now = useSeconds();
  const left = secondsLeft(step.until, now);
  const byCode = step.by === "code";
  return (
    <div className={css.pairing}>
      <div className={css.shown}>
        {step.kind === "starting" && <Spinner />}
        {step.kind === "qr_code" && <QRCode matrix={step.matrix} phone={number.phone} stale={left === 0} />}
        {step.kind === "phone_code" && (
          <div className={css.stack}>
            <output className={css.typed} aria-label={texts.pairing.codeToType}>
              {step.code}
            </output>
            <span>
              <CopyButton label={texts.pairing.copyTheCode} value={step.code} />
            </span>
          </div>
        )}
      </div>
      <div className={css.stack}>
        <h3>{byCode ? texts.pairing.typeTheCode(number.phone) : texts.pairing.scanTheCode(number.phone)}</h3>
        <ol>
          <li>{texts.pairing.openWhatsappOnThePhone}</li>
          <li>{texts.pairing.chooseSettingsThenLinked}</li>
          <li>{byCode ? texts.pairing.chooseLinkWithPhone : texts.pairing.pointTheCamera}</li>
        </ol>
        <p className={css.quiet} role="status">
          {step.kind === "starting" ? texts.pairing.requestingACode : leftText(left, byCode)}
        </p>
        <p className={css.quiet}>{texts.pairing.anyoneWhoHasTheCode}</p>
      </div>
    </div>
  );
}

function leftText(left: number | null, byCode: boolean): string {
  if (left === null) return texts.pairing.theCodeHoldsUntil;
  if (left === 0) return byCode ? texts.pairing.theCodeHoldsNoMore : texts.pairing.theNextCodeComes;
  return byCode ? texts.pairing.theCodeHoldsMinutes : texts.pairing.theCodeIsReplaced;
}

function QRCode({ matrix, phone, stale }: { matrix: readonly string[]; phone: string; stale: boolean }) {
  const size = matrix.length + 2 * quietZone;
  return (
    <svg className={css.qr} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={texts.pairing.qrCodeToPair(phone)} shapeRendering="crispEdges">
      <path className={stale ? css.stale : undefined} d={qrPath(matrix)} />
    </svg>
  );
}

/** The time in ms, updated every second. */
function useSeconds(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
