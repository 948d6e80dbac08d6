// A field that is edited in place: an input that shows its frame under the
// pointer. Enter or leaving the field saves, Escape reverts.
import { useEffect, useRef, useState, type KeyboardEvent } from "react";
import { ApiError, errorText } from "../api/client";
import { fieldText } from "../api/sentences";
import { Field, sentence, Spinner } from "../kit";
import css from "./people.module.css";
import { texts } from "./texts";

interface EditableFieldProps {
  label: string;
  /** The name of the field in the request, by which the server reports errors. */
  name: string;
  value: string;
  placeholder?: string;
  type?: "text" | "email" | "tel" | "url";
  multiline?: boolean;
  /** Saves a changed text. An error that it throws is shown at the field. */
  onSave: (text: string) => Promise<void>;
}

export function EditableField({ label, name, value, placeholder, type = "text", multiline = false, onSave }: EditableFieldProps) {
  const [draft, setDraft] = useState(value);
  const [fault, setFault] = useState("");
  const [saving, setSaving] = useState(false);
  const editing = useRef(false);

  // A change from elsewhere is shown, unless the reader is editing the field.
  useEffect(() => {
    if (!editing.current) setDraft(value);
  }, [value]);

  async function save() {
    const text = draft.trim();
    if (saving) return;
    editing.current = false;
    if (text === value) {
      setDraft(value);
      setFault("");
      return;
    }
    setSaving(true);
    try {
      await onSave(text);
      setFault("");
    } catch (error) {
      editing.current = true;
      setFault(faultOf(error, name));
    } finally {
      setSaving(false);
    }
  }

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    if (event.key === "Escape") {
      event.stopPropagation();
      editing.current = false;
      setDraft(value);
      setFault("");
    } else if (event.key === "Enter" && !(multiline && !(event.ctrlKey || event.metaKey))) {
      event.preventDefault();
      void save();
    }
  }

  const shared = {
    value: draft,
    placeholder: placeholder ?? texts.editableField.add,
    className: css.editable,
    onFocus: () => (editing.current = true),
    onBlur: () => void save(),
    onKeyDown,
  };
  return (
    <Field label={label} error={fault ? sentence(fault) : undefined} className={css.editableField}>
      {(wiring) => (
        <span className={css.editableBox}>
          {multiline ? (
            <textarea {...wiring} {...shared} rows={Math.min(8, Math.max(2, draft.split("\n").length))} onChange={(event) => setDraft(event.target.value)} />
          ) : (
            <input {...wiring} {...shared} type={type} autoComplete="off" onChange={(event) => setDraft(event.target.value)} />
          )}
          {saving && <Spinner />}
        </span>
      )}
    </Field>
  );
}

/** Returns what an error says about one field, or its whole text. */
function faultOf(error: unknown, name: string): string {
  return (error instanceof ApiError && fieldText(error, name)) || errorText(error);
}
