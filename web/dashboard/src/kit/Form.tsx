import { CircleAlert } from "lucide-react";
import { useRef, useState, type ReactNode, type SubmitEvent } from "react";
import { ApiError, errorText } from "../api/client";
import { fieldText, sentence } from "../api/sentences";
import styles from "./Form.module.css";

/**
 * What useForm returns for one field. Spread it into a field of the kit: `<TextField label="Name"
 * {...form.field("name")} />`.
 */
export interface Bound<T> {
  value: T;
  onChange: (value: T) => void;
  error: string | undefined;
}

export interface FormState<V extends object> {
  values: V;
  set: <K extends keyof V>(name: K, value: V[K]) => void;
  field: <K extends keyof V>(name: K) => Bound<V[K]>;
  /** Errors of fields by name, from the server or from `validate`. */
  errors: Partial<Record<keyof V, string>>;
  /** An error that belongs to no field of the form; "" for none. */
  fault: string;
  busy: boolean;
  changed: boolean;
  submit: () => Promise<boolean>;
  reset: (values?: V) => void;
}

/**
 * The state of a form. `save` sends it; the rule of an ApiError goes to the field that it names, the rest to `fault`.
 * `validate` may refuse before anything is sent. submit returns whether it was saved.
 */
export function useForm<V extends object>(initial: V, save: (values: V) => Promise<unknown>, validate?: (values: V) => Partial<Record<keyof V, string>>): FormState<V> {
  const [first, setFirst] = useState(initial);
  const [values, setValues] = useState(initial);
  const [errors, setErrors] = useState<Partial<Record<keyof V, string>>>({});
  const [fault, setFault] = useState("");
  const [busy, setBusy] = useState(false);
  const running = useRef(false);

  const set = <K extends keyof V>(name: K, value: V[K]) => {
    setValues((old) => ({ ...old, [name]: value }));
    setErrors(({ [name]: _, ...rest }) => rest as Partial<Record<keyof V, string>>);
  };
  const refuse = (error: unknown) => {
    const names = error instanceof ApiError ? Object.keys(error.fields) : [];
    const known = names.filter((name) => name in values);
    setErrors(Object.fromEntries(known.map((name) => [name, fieldText(error as ApiError, name)])) as Partial<Record<keyof V, string>>);
    setFault(known.length > 0 && known.length === names.length ? "" : errorText(error));
  };
  const submit = async () => {
    if (running.current) return false;
    const wrong = validate?.(values) ?? {};
    setErrors(wrong);
    setFault("");
    if (Object.keys(wrong).length > 0) return false;
    running.current = true;
    setBusy(true);
    try {
      await save(values);
      setFirst(values);
      return true;
    } catch (error) {
      refuse(error);
      return false;
    } finally {
      running.current = false;
      setBusy(false);
    }
  };
  const reset = (to: V = first) => {
    setFirst(to);
    setValues(to);
    setErrors({});
    setFault("");
  };
  return {
    values,
    set,
    field: (name) => ({ value: values[name], onChange: (value) => set(name, value), error: errors[name] && sentence(errors[name]) }),
    errors,
    fault,
    busy,
    changed: Object.keys(values).some((name) => !Object.is(values[name as keyof V], first[name as keyof V])),
    submit,
    reset,
  };
}

/** A form without the browser's validation messages; the fields show the errors. */
export function Form({ onSubmit, children, className, ...rest }: { onSubmit: () => void; children: ReactNode; className?: string; "aria-label"?: string }) {
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form {...rest} noValidate className={className ?? styles.form} onSubmit={submit}>
      {children}
    </form>
  );
}

export function FormActions({ children }: { children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>;
}

/** An error that belongs to no field, announced when it appears; nothing for "". */
export function FormError({ children }: { children: ReactNode }) {
  return (
    <div role="alert" className={styles.alert}>
      {children ? (
        <p className={styles.fault}>
          <CircleAlert size={15} aria-hidden />
          <span>{children}</span>
        </p>
      ) : null}
    </div>
  );
}
