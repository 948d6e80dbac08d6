import type { ReactNode } from "react";
import styles from "./Toggle.module.css";

interface ToggleProps {
  label: ReactNode;
  hint?: ReactNode;
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
}

export function Checkbox(props: ToggleProps) {
  return <Toggle {...props} look={styles.box} />;
}

/** For settings that take effect at once. In a form that is saved later, use a Checkbox. */
export function Switch(props: ToggleProps) {
  return <Toggle {...props} look={styles.switch} role="switch" />;
}

function Toggle({ label, hint, checked, onChange, disabled, look, role }: ToggleProps & { look: string | undefined; role?: "switch" }) {
  return (
    <label className={styles.row}>
      <input type="checkbox" role={role} className={look} checked={checked} disabled={disabled} onChange={(event) => onChange(event.target.checked)} />
      <span className={styles.text}>
        <span>{label}</span>
        {hint && <span className={styles.hint}>{hint}</span>}
      </span>
    </label>
  );
}
