import { Link } from "wouter";
import { Section, SelectField } from "../kit";
import { texts } from "./continuing.texts";
import css from "./widget.module.css";

const usual = [2, 5, 10, 15, 30, 60];

/** When customers of a website get by mail what they missed; 0 for never. */
export function ContinueSection({ minutes, onChange }: { minutes: number; onChange: (minutes: number) => void }) {
  const all = [...new Set([...usual, ...(minutes > 0 ? [minutes] : [])])].sort((a, b) => a - b);
  return (
    <Section title={texts.title}>
      <div className={css.fields}>
        <SelectField
          label={texts.when}
          hint={texts.hint}
          options={[{ value: "0", label: texts.never }, ...all.map((n) => ({ value: String(n), label: texts.after(n) }))]}
          value={String(minutes)}
          onChange={(value) => onChange(Number(value))}
        />
        <p className={css.quiet}>
          {texts.needsServer} <Link href="/settings/mail">{texts.mail}</Link>
        </p>
      </div>
    </Section>
  );
}
