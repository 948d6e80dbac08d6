// A few choices side by side, one of which holds: radio buttons that look like
// one switch. Tab enters it, the arrow keys move it.

import { useId } from "react";
import css from "./Segmented.module.css";

interface SegmentedProps<T extends string> {
  /** Names the group for whoever cannot see it. */
  label: string;
  options: readonly { value: T; label: string }[];
  value: T;
  onChange: (value: T) => void;
}

export function Segmented<T extends string>({ label, options, value, onChange }: SegmentedProps<T>) {
  const name = useId();
  return (
    <fieldset className={css.group}>
      <legend className="visually-hidden">{label}</legend>
      {options.map((option) => (
        <label key={option.value} className={css.option}>
          <input type="radio" name={name} value={option.value} checked={option.value === value} onChange={() => onChange(option.value)} />
          <span>{option.label}</span>
        </label>
      ))}
    </fieldset>
  );
}
