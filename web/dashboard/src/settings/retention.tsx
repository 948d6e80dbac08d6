// How long an inbox keeps conversations.
import { api } from "../api/client";
import type { Inbox, Retention } from "../api/types";
import { useQuery } from "../api/useQuery";
import { Button, Checkbox, Dialog, ErrorState, FormDialog, SkeletonRows, TextField, useForm, useToast } from "../kit";
import { texts } from "./texts";

/** The rule of the API: one day to a hundred years. */
const mostDays = 36_500;

/** The days that a text says; null for a blank one, undefined for anything else. */
export function daysIn(text: string): number | null | undefined {
  if (text.trim() === "") return null;
  const days = Number(text);
  return Number.isInteger(days) && days >= 1 && days <= mostDays ? days : undefined;
}

export function RetentionDialog({ inbox, onClose }: { inbox: Inbox; onClose: () => void }) {
  const path = `/v1/dashboard/inboxes/${inbox.id}/retention`;
  const { data, error, reload } = useQuery<Retention>(path);
  if (data) return <RetentionForm path={path} inbox={inbox} rule={data} onClose={onClose} />;
  return (
    <Dialog open onClose={onClose} title={texts.retention.title(inbox.name)} footer={<Button onClick={onClose}>{texts.retention.close}</Button>}>
      {error === undefined ? <SkeletonRows count={1} avatar={false} /> : <ErrorState error={error} onRetry={reload} />}
    </Dialog>
  );
}

function RetentionForm({ path, inbox, rule, onClose }: { path: string; inbox: Inbox; rule: Retention; onClose: () => void }) {
  const toast = useToast();
  const deletesMore = (days: number | null | undefined) => typeof days === "number" && days !== rule.days;
  const form = useForm(
    { days: rule.days === null ? "" : String(rule.days), sureOf: "" },
    async ({ days: text }) => {
      const days = daysIn(text) ?? null;
      await api.put<Retention>(path, { days });
      toast.done(days === null ? texts.retention.kept : texts.retention.saved);
      onClose();
    },
    ({ days: text, sureOf }) => {
      const days = daysIn(text);
      if (days === undefined) return { days: texts.retention.daysRule(mostDays) };
      return deletesMore(days) && sureOf !== text ? { days: texts.retention.confirmFirst } : {};
    },
  );
  const days = daysIn(form.values.days);
  const due = useQuery<Retention>(typeof days === "number" ? path : null, { days });
  return (
    <FormDialog title={texts.retention.title(inbox.name)} description={texts.retention.description} action={texts.retention.save} form={form} onClose={onClose}>
      <TextField label={texts.retention.days} hint={texts.retention.daysHint} inputMode="numeric" autoComplete="off" autoFocus {...form.field("days")} />
      <p role="status">{days === null ? texts.retention.keepsAll : due.data ? texts.retention.due(due.data.due) : ""}</p>
      {due.error !== undefined && <ErrorState error={due.error} onRetry={due.reload} />}
      {/* Whoever changes the number has not confirmed the new one, nor seen what it deletes. */}
      {deletesMore(days) && due.data && (
        <Checkbox label={texts.retention.sure} checked={form.values.sureOf === form.values.days} onChange={(sure) => form.set("sureOf", sure ? form.values.days : "")} />
      )}
    </FormDialog>
  );
}
