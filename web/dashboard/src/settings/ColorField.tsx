import { useId } from "react";
import type { LabelColor } from "../api/types";
import { LabelChip } from "../kit";
import css from "./settings.module.css";
import { texts } from "./texts";

const colors: readonly LabelColor[] = ["gray", "red", "orange", "yellow", "green", "teal", "blue", "purple", "pink"];

/** Chooses one of the nine colours, each shown as its chip. */
export function ColorField({ name, value, onChange }: { name: string; value: LabelColor; onChange: (color: LabelColor) => void }) {
  const group = useId();
  return (
    <fieldset className={css.choices}>
      <legend>{texts.labels.colour}</legend>
      <div className={css.colors}>
        {colors.map((color) => (
          <label key={color} className={css.color}>
            <input type="radio" name={group} checked={color === value} onChange={() => onChange(color)} aria-label={color} />
            <span aria-hidden="true">
              <LabelChip name={name.trim() || color} color={color} />
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
