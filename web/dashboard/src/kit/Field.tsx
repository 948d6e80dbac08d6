import { ChevronDown, CircleAlert, Search, X } from "lucide-react";
import { useId, type ComponentPropsWithRef, type ReactNode } from "react";
import { IconButton } from "./Button";
import { cx } from "./cx";
import styles from "./Field.module.css";
import { texts } from "./texts";

/** The properties of every field. `error` is shown below the field and announced with it. */
export interface FieldProps {
  label: string;
  /** Hides the label from all but screen readers. */
  hideLabel?: boolean;
  hint?: ReactNode;
  error?: string | undefined;
  optional?: boolean;
}

interface Wiring {
  id: string;
  "aria-invalid": true | undefined;
  "aria-describedby": string | undefined;
}

/** The frame of a field: label, hint and error, linked to the child's control. */
export function Field({ label, hideLabel, hint, error, optional, children, className }: FieldProps & { children: (wiring: Wiring) => ReactNode; className?: string | undefined }) {
  const id = useId();
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return (
    <div className={cx(styles.field, className)}>
      <label htmlFor={id} className={hideLabel ? "visually-hidden" : styles.label}>
        {label} {optional && <span className={styles.optional}>{texts.field.optional}</span>}
      </label>
      {children({ id, "aria-invalid": error ? true : undefined, "aria-describedby": describedBy || undefined })}
      {hint && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className={styles.error}>
          <CircleAlert size={14} aria-hidden />
          {error}
        </p>
      )}
    </div>
  );
}

type Native<E extends "input" | "textarea" | "select"> = Omit<ComponentPropsWithRef<E>, "value" | "onChange" | "children">;
interface Value<T = string> {
  value: T;
  onChange: (value: T) => void;
}

/** A single-line text field. With autoFocus it is also what a dialog focuses, by data-autofocus. */
export function TextField({ label, hideLabel, hint, error, optional, value, onChange, className, ...rest }: FieldProps & Value & Native<"input">) {
  return (
    <Field {...{ label, hint, error, className }} hideLabel={hideLabel ?? false} optional={optional ?? false}>
      {(wiring) => <input {...rest} {...wiring} data-autofocus={rest.autoFocus || undefined} className={styles.input} value={value} onChange={(event) => onChange(event.target.value)} />}
    </Field>
  );
}

export function TextArea({ label, hideLabel, hint, error, optional, value, onChange, className, ...rest }: FieldProps & Value & Native<"textarea">) {
  return (
    <Field {...{ label, hint, error, className }} hideLabel={hideLabel ?? false} optional={optional ?? false}>
      {(wiring) => <textarea {...rest} {...wiring} data-autofocus={rest.autoFocus || undefined} className={styles.input} value={value} onChange={(event) => onChange(event.target.value)} />}
    </Field>
  );
}

export interface Option<T extends string = string> {
  value: T;
  label: string;
  disabled?: boolean;
}

/** A native select, with the phone's own picker and the keyboard's own search. */
export function SelectField<T extends string>({
  label,
  hideLabel,
  hint,
  error,
  optional,
  value,
  onChange,
  options,
  className,
  ...rest
}: FieldProps & Value<T> & { options: readonly Option<T>[] } & Native<"select">) {
  return (
    <Field {...{ label, hint, error, className }} hideLabel={hideLabel ?? false} optional={optional ?? false}>
      {(wiring) => (
        <div className={styles.selectBox}>
          <select {...rest} {...wiring} className={styles.input} value={value} onChange={(event) => onChange(event.target.value as T)}>
            {options.map((option) => (
              <option key={option.value} value={option.value} disabled={option.disabled}>
                {option.label}
              </option>
            ))}
          </select>
          <ChevronDown size={14} aria-hidden />
        </div>
      )}
    </Field>
  );
}

/** A search box without a frame; `label` is for screen readers. */
export function SearchField({ label, value, onChange, className, ...rest }: { label: string } & Value & Native<"input">) {
  return (
    <div className={cx(styles.search, className)} role="search">
      <Search size={15} aria-hidden />
      <input {...rest} type="search" aria-label={label} className={styles.input} value={value} onChange={(event) => onChange(event.target.value)} />
      {value !== "" && <IconButton className={styles.clear} size="sm" label={texts.field.clearTheSearch} icon={<X size={14} />} onClick={() => onChange("")} />}
    </div>
  );
}

export const inputClass = styles.input ?? "";
