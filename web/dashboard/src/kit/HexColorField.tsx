import { Field, inputClass } from "./Field";
import styles from "./HexColorField.module.css";

interface HexColorFieldProps {
  label: string;
  /** The name of the colour picker beside the text. */
  pickLabel: string;
  value: string;
  /** The picker's colour while the text is not one. */
  usual: string;
  onChange: (value: string) => void;
  error: string | undefined;
}

/** A colour as #rrggbb, typed or picked. */
export function HexColorField({ label, pickLabel, value, usual, onChange, error }: HexColorFieldProps) {
  return (
    <Field label={label} error={error}>
      {(wiring) => (
        <span className={styles.color}>
          <input type="color" aria-label={pickLabel} value={hexOf(value, usual)} onChange={({ target }) => onChange(target.value)} />
          <input {...wiring} className={inputClass} value={value} spellCheck={false} maxLength={7} onChange={({ target }) => onChange(target.value.toLowerCase())} />
        </span>
      )}
    </Field>
  );
}

/** A colour as a picker takes it: the text, or another one if the text is not finished. */
export function hexOf(text: string, other: string): string {
  return /^#[0-9a-f]{6}$/i.test(text) ? text : other;
}
