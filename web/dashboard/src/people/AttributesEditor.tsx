// The custom attributes of a record, each edited in place, and a form to add
// one. A change sends only its own key; the server merges it.
import { Plus, Trash2 } from "lucide-react";
import { useState, type SubmitEvent } from "react";
import type { Attributes } from "../api/types";
import { errorText } from "../api/client";
import { Button, IconButton, SelectField, sentence, TextField } from "../kit";
import { attributeTypes, nameFault, parseAttribute, textOf, typeOf, type AttributeType } from "./attributes";
import { EditableField } from "./EditableField";
import css from "./people.module.css";
import { texts } from "./texts";
import { locale } from "../kit/texts";

interface AttributesEditorProps {
  value: Attributes;
  /** Merges attributes into the record's; null deletes a key. */
  onChange: (patch: Attributes) => Promise<void>;
}

export function AttributesEditor({ value, onChange }: AttributesEditorProps) {
  const [adding, setAdding] = useState(false);
  const names = Object.keys(value).sort((a, b) => a.localeCompare(b, locale));
  return (
    <div className={css.attributes}>
      {names.length === 0 && !adding && <p className={css.quiet}>{texts.attributesEditor.noneYet}</p>}
      {names.map((name) => (
        <AttributeRow key={name} name={name} value={value[name]} onChange={(next) => onChange({ [name]: next })} />
      ))}
      {adding ? (
        <NewAttribute present={value} onAdd={onChange} onClose={() => setAdding(false)} />
      ) : (
        <Button variant="ghost" size="sm" icon={<Plus size={15} />} onClick={() => setAdding(true)}>
          {texts.attributesEditor.addAnAttribute}
        </Button>
      )}
    </div>
  );
}

function AttributeRow({ name, value, onChange }: { name: string; value: unknown; onChange: (value: unknown) => Promise<void> }) {
  const [fault, setFault] = useState("");
  const type = typeOf(value);

  async function save(text: string) {
    const parsed = parseAttribute(type, text);
    if (parsed.fault !== undefined) throw new Error(parsed.fault);
    await onChange(parsed.value);
  }

  const attempt = (next: unknown) =>
    onChange(next).then(
      () => setFault(""),
      (error: unknown) => setFault(errorText(error)),
    );
  return (
    <div className={css.attribute}>
      {type === "boolean" ? (
        <SelectField
          label={name}
          className={css.editableField}
          value={textOf(value)}
          error={fault ? sentence(fault) : undefined}
          options={[
            { value: "true", label: texts.attributesEditor.yes },
            { value: "false", label: texts.attributesEditor.no },
          ]}
          onChange={(text) => void attempt(text === "true")}
        />
      ) : (
        <EditableField label={name} name="customAttributes" value={textOf(value)} multiline={type === "json"} onSave={save} />
      )}
      <IconButton label={texts.attributesEditor.remove(name)} size="sm" icon={<Trash2 size={15} />} onClick={() => void attempt(null)} />
    </div>
  );
}

function NewAttribute({ present, onAdd, onClose }: { present: Attributes; onAdd: (patch: Attributes) => Promise<void>; onClose: () => void }) {
  const [name, setName] = useState("");
  const [type, setType] = useState<AttributeType>("text");
  const [text, setText] = useState("");
  const [fault, setFault] = useState<{ name?: string; value?: string }>({});
  const [busy, setBusy] = useState(false);

  function choose(next: AttributeType) {
    setType(next);
    setText(next === "boolean" ? "true" : "");
  }

  async function submit(event: SubmitEvent) {
    event.preventDefault();
    const wrongName = nameFault(name, present);
    const parsed = parseAttribute(type, text);
    if (wrongName || parsed.fault !== undefined) {
      setFault({ ...(wrongName && { name: wrongName }), ...(parsed.fault !== undefined && { value: parsed.fault }) });
      return;
    }
    setBusy(true);
    try {
      await onAdd({ [name.trim()]: parsed.value });
      onClose();
    } catch (error) {
      setFault({ value: errorText(error) });
      setBusy(false);
    }
  }

  return (
    <form className={css.newAttribute} onSubmit={(event) => void submit(event)}>
      <TextField label={texts.attributesEditor.name} value={name} onChange={setName} error={fault.name && sentence(fault.name)} autoFocus autoComplete="off" />
      <SelectField label={texts.attributesEditor.type} value={type} onChange={choose} options={attributeTypes} />
      {type === "boolean" ? (
        <SelectField
          label={texts.attributesEditor.value}
          value={text}
          onChange={setText}
          options={[
            { value: "true", label: texts.attributesEditor.yes },
            { value: "false", label: texts.attributesEditor.no },
          ]}
        />
      ) : (
        <TextField label={texts.attributesEditor.value} value={text} onChange={setText} error={fault.value && sentence(fault.value)} autoComplete="off" />
      )}
      <div className={css.formEnd}>
        <Button type="submit" variant="primary" size="sm" busy={busy}>
          {texts.attributesEditor.add}
        </Button>
        <Button variant="ghost" size="sm" onClick={onClose}>
          {texts.attributesEditor.cancel}
        </Button>
      </div>
    </form>
  );
}
