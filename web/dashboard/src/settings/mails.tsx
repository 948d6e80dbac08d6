// The mails that the server sends, and a test of the mail server.
import { RotateCw, Send } from "lucide-react";
import { useState } from "react";
import { api } from "../api/client";
import type { Invitation, List, Mail, MailPage, MailTrial } from "../api/types";
import { useQuery } from "../api/useQuery";
import { Badge, Button, EmptyState, ErrorState, FormActions, Page, Section, SelectField, SkeletonRows, shortDate, useAction } from "../kit";
import { useMe, useMembers } from "../sync";
import { texts } from "./mails.texts";
import { Code, RowActions, Rows, RowText } from "./parts";

export const mailsPath = "/v1/dashboard/mails";

type State = Mail["state"];
const states: readonly State[] = ["waiting", "sending", "sent", "failed", "unknown", "superseded"];
const tones = { waiting: "neutral", sending: "neutral", sent: "neutral", failed: "danger", unknown: "warn", superseded: "neutral" } as const;

export function MailsPage() {
  const me = useMe();
  const [state, setState] = useState<State | "">("");
  const mails = useQuery<MailPage>(mailsPath, { limit: 100, ...(state && { state }) });
  const off = mails.data?.sender === null;
  const options = [{ value: "", label: texts.all }, ...states.map((value) => ({ value, label: texts.states[value] }))];
  return (
    <Page title={texts.mail} description={mails.data?.sender ? `${texts.what} ${texts.from(mails.data.sender)}` : texts.what}>
      {off && <EmptyState title={texts.off}>{texts.offText}</EmptyState>}
      {mails.data && !off && me.role === "owner" && <Trial />}
      <Section title={texts.mails}>
        <SelectField label={texts.state} value={state} options={options} onChange={(value) => setState(value as State | "")} />
        {mails.data ? <MailRows mails={mails.data.data} onAgain={mails.reload} /> : mails.error ? <ErrorState error={mails.error} onRetry={mails.reload} /> : <SkeletonRows count={3} avatar={false} />}
      </Section>
    </Page>
  );
}

function Trial() {
  const [trial, setTrial] = useState<MailTrial | null>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const start = async () => {
    setBusy(true);
    setError(null);
    try {
      setTrial(await api.post<MailTrial>(`${mailsPath}/test`, {}));
    } catch (fault) {
      setError(fault);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Section title={texts.testTitle}>
      <FormActions>
        <Button icon={<Send size={15} />} busy={busy} onClick={() => void start()}>
          {texts.test}
        </Button>
      </FormActions>
      <p role="status">{trial && (trial.sent ? texts.sent : texts.notSent)}</p>
      {trial && <Code label={texts.steps} text={trial.steps.join("\n")} />}
      {error !== null && <ErrorState error={error} onRetry={() => void start()} />}
    </Section>
  );
}

function MailRows({ mails, onAgain }: { mails: readonly Mail[]; onAgain: () => void }) {
  const { run } = useAction();
  const members = useMembers();
  const invitations = useQuery<List<Invitation>>("/v1/dashboard/invitations").data?.data;
  const subject = (mail: Mail) => {
    const name = members.find(({ id }) => id === mail.memberId)?.name ?? invitations?.find(({ id }) => id === mail.invitationId)?.email;
    return name === undefined ? texts.kinds[mail.kind] : texts.to(texts.kinds[mail.kind], name);
  };
  const again = (mail: Mail) => api.post<Mail>(`${mailsPath}/${mail.id}/again`, {}).then(onAgain);
  return (
    <Rows label={texts.mails} rows={mails} keyOf={({ id }) => id} empty={{ title: texts.none, text: texts.noneText }}>
      {(mail) => (
        <>
          <RowText
            name={subject(mail)}
            badges={<Badge tone={tones[mail.state]}>{texts.states[mail.state]}</Badge>}
            note={texts.note(shortDate(mail.createdAt), mail.state === "unknown" ? `${mail.problem}. ${texts.mayTwice}` : mail.problem)}
          />
          <RowActions>
            {mail.resendable && (
              <Button icon={<RotateCw size={15} />} aria-label={texts.againOf(subject(mail))} onClick={() => void run(() => again(mail), texts.waits)}>
                {texts.again}
              </Button>
            )}
          </RowActions>
        </>
      )}
    </Rows>
  );
}
