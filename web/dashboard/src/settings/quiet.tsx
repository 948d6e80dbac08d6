// The hours in which nothing but the bell tells a member anything.
import { Plus, X } from "lucide-react";
import type { NoticePreferences } from "../api/types";
import { Button, Checkbox, Form, FormActions, FormError, IconButton, Section, SelectField, TextField, useForm, useToast, useUnsaved } from "../kit";
import { dayLabel, days, zonesWith, type Day } from "./hours";
import { zoneOf, type PartProps } from "./noticechoices";
import css from "./notifications.module.css";
import { texts } from "./notifications.texts";

type Period = NoticePreferences["quietHours"][number];
const mostPeriods = 3;
const usual: Period = { days: ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"], from: "22:00", to: "07:00" };

interface Values {
  zone: string;
  quietHours: readonly Period[];
  awayUntil: string; // as the browser's field has it; "" for none
}

export function QuietSection({ of, save }: PartProps) {
  const toast = useToast();
  const first: Values = { zone: zoneOf(of), quietHours: of.quietHours, awayUntil: localTime(of.awayUntil) };
  const form = useForm(
    first,
    async ({ zone, quietHours, awayUntil }) => {
      await save({ zone, quietHours: [...quietHours], ...(awayUntil !== first.awayUntil && { awayUntil: awayUntil === "" ? null : new Date(awayUntil).toISOString() }) });
      toast.done(texts.saved);
    },
    ({ quietHours, awayUntil }) => ({
      ...(quietHours.some((period) => period.days.length === 0) && { quietHours: texts.noDays }),
      ...(awayUntil !== "" && awayUntil !== first.awayUntil && !isAhead(awayUntil) && { awayUntil: texts.wrongAway }),
    }),
  );
  useUnsaved(form.changed);
  const periods = form.values.quietHours;
  const put = (all: readonly Period[]) => form.set("quietHours", all);
  return (
    <Section title={texts.quiet} description={texts.quietHint}>
      <Form onSubmit={() => void form.submit()}>
        {periods.map((period, i) => (
          <PeriodFields
            key={i}
            n={i + 1}
            period={period}
            change={(some) => put(periods.map((other, j) => (i === j ? { ...other, ...some } : other)))}
            remove={() => put(periods.filter((_, j) => i !== j))}
          />
        ))}
        {form.errors.quietHours && <p role="alert">{form.errors.quietHours}</p>}
        {periods.length < mostPeriods && (
          <div>
            <Button icon={<Plus size={16} />} onClick={() => put([...periods, usual])}>
              {texts.addPeriod}
            </Button>
          </div>
        )}
        <SelectField label={texts.zone} options={zonesWith(first.zone).map((zone) => ({ value: zone, label: zone }))} {...form.field("zone")} />
        <TextField label={texts.away} hint={texts.awayHint} optional type="datetime-local" {...form.field("awayUntil")} />
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
    </Section>
  );
}

function PeriodFields({ n, period, change, remove }: { n: number; period: Period; change: (some: Partial<Period>) => void; remove: () => void }) {
  const toggle = (day: Day, on: boolean) => change({ days: days.filter((one) => (one === day ? on : period.days.includes(one))) });
  return (
    <fieldset className={css.period}>
      <legend className="visually-hidden">{texts.period(n)}</legend>
      <div className={css.days}>
        {days.map((day) => (
          <Checkbox key={day} label={dayLabel(day)} checked={period.days.includes(day)} onChange={(on) => toggle(day, on)} />
        ))}
      </div>
      <div className={css.times}>
        <TextField label={texts.from} type="time" required value={period.from} onChange={(from) => from !== "" && change({ from })} />
        <TextField
          label={texts.to}
          type="time"
          required
          value={period.to}
          onChange={(to) => to !== "" && change({ to })}
          hint={period.to === period.from ? texts.wholeDay : period.to < period.from ? texts.nextDay : undefined}
        />
        <IconButton label={texts.removePeriod(n)} icon={<X size={16} />} onClick={remove} />
      </div>
    </fieldset>
  );
}

/** Whether a time is in the future, and not farther than the server accepts. */
function isAhead(at: string): boolean {
  const ahead = Date.parse(at) - Date.now();
  return ahead > 0 && ahead < 400 * 24 * 3600_000;
}

/** A time as a field of the browser has it, in its zone. */
function localTime(at: string | null): string {
  if (at === null) return "";
  const time = new Date(at);
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
