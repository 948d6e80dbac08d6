// The hours in which somebody answers in an inbox.
import { api } from "../api/client";
import type { OfficeHours } from "../api/types";
import { useQuery } from "../api/useQuery";
import { Button, Checkbox, EmptyState, ErrorState, Form, FormActions, FormError, Page, Section, SelectField, SkeletonRows, TextArea, TextField, useForm, useToast, useUnsaved } from "../kit";
import { useInboxes } from "../sync";
import { dayLabel, days, holidaysFault, holidaysOf, hoursOf, intervalsIn, weekOf, zonesWith, type Week } from "./hours";
import { texts } from "./hours.texts";
import css from "./widget.module.css";

export function HoursPage({ inboxId }: { inboxId: string }) {
  const inbox = useInboxes().find(({ id, channelType }) => id === inboxId && channelType === "web");
  const path = `/v1/dashboard/inboxes/${inboxId}/office-hours`;
  const { data, error, reload } = useQuery<OfficeHours>(inbox ? path : null);
  return (
    <Page title={inbox ? texts.title(inbox.name) : texts.noTitle} back={{ href: `/settings/inboxes/${inboxId}/widget`, label: texts.back }} description={texts.what}>
      {!inbox ? (
        <EmptyState title={texts.notFound}>{texts.onlyWebsites}</EmptyState>
      ) : data ? (
        <Editor hours={data} path={path} />
      ) : error ? (
        <ErrorState error={error} onRetry={reload} />
      ) : (
        <SkeletonRows count={5} avatar={false} />
      )}
    </Page>
  );
}

interface Values extends Week {
  shown: boolean;
  zone: string;
  holidays: string;
}

function Editor({ hours, path }: { hours: OfficeHours; path: string }) {
  const toast = useToast();
  const untouched = hours.hours.length === 0 && !hours.shown;
  const first: Values = {
    ...weekOf(hours.hours),
    shown: hours.shown,
    // Nobody has chosen one yet.
    zone: untouched ? Intl.DateTimeFormat().resolvedOptions().timeZone : hours.zone,
    holidays: hours.holidays.join("\n"),
  };
  const form = useForm(
    first,
    async ({ shown, zone, holidays, ...week }) => {
      await api.patch<OfficeHours>(path, { shown, zone, hours: hoursOf(week), holidays: holidaysOf(holidays) });
      toast.done(texts.saved);
    },
    ({ holidays, ...values }) => {
      const wrong = days.filter((day) => intervalsIn(values[day]) === null).map((day) => [day, texts.wrongDay]);
      const fault = holidaysFault(holidays);
      return { ...Object.fromEntries(wrong), ...(fault && { holidays: fault }) } as Partial<Record<keyof Values, string>>;
    },
  );
  useUnsaved(form.changed);
  return (
    <Form onSubmit={() => void form.submit()}>
      <Section title={texts.week} description={texts.weekHint}>
        <div className={css.fields}>
          <SelectField label={texts.zone} options={zonesWith(first.zone).map((zone) => ({ value: zone, label: zone }))} {...form.field("zone")} />
          {days.map((day) => (
            <TextField key={day} label={dayLabel(day)} placeholder={texts.closed} autoComplete="off" {...form.field(day)} />
          ))}
        </div>
      </Section>
      <Section title={texts.holidays}>
        <TextArea label={texts.holidays} hideLabel rows={3} hint={texts.holidaysHint} spellCheck={false} {...form.field("holidays")} />
      </Section>
      <Section title={texts.chat}>
        <Checkbox label={texts.shown} hint={texts.shownHint} checked={form.values.shown} onChange={(shown) => form.set("shown", shown)} />
      </Section>
      <FormError>{form.fault}</FormError>
      <FormActions>
        <Button type="submit" variant="primary" busy={form.busy} disabled={!form.changed}>
          {texts.save}
        </Button>
        <Button disabled={!form.changed} onClick={() => form.reset()}>
          {texts.discard}
        </Button>
      </FormActions>
    </Form>
  );
}
