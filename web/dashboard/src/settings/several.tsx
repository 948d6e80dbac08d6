// Chooses several of some records.
import { sentence } from "../api/sentences";
import { Checkbox, FormError } from "../kit";
import css from "./settings.module.css";

interface SeveralProps {
  title: string;
  /** What is said if there is nothing to choose. */
  none: string;
  items: readonly { id: string; name: string; hint?: string | undefined }[];
  chosen: readonly string[];
  error: string | undefined;
  onChange: (ids: string[]) => void;
}

/** A checkbox for each record. */
export function Several({ title, none, items, chosen, error, onChange }: SeveralProps) {
  return (
    <fieldset className={css.choices}>
      <legend>{title}</legend>
      {items.length === 0 && <p className={css.rowNote}>{none}</p>}
      <div className={css.several}>
        {items.map(({ id, name, hint }) => (
          <Checkbox key={id} label={name} hint={hint} checked={chosen.includes(id)} onChange={(on) => onChange(on ? [...chosen, id] : chosen.filter((other) => other !== id))} />
        ))}
      </div>
      <FormError>{error && sentence(error)}</FormError>
    </fieldset>
  );
}
