import { X } from "lucide-react";
import type { ReactNode } from "react";
import type { LabelColor } from "../api/types";
import styles from "./Badge.module.css";
import { cx } from "./cx";
import { texts } from "./texts";

export type Tone = "neutral" | "accent" | "ok" | "warn" | "danger" | "info" | "count";

export function Badge({ tone = "neutral", icon, children }: { tone?: Tone; icon?: ReactNode; children: ReactNode }) {
  return (
    <span className={cx(styles.badge, styles[tone])}>
      {icon}
      <span>{children}</span>
    </span>
  );
}

/** The chip of a label in its colour. With onRemove it has a button that removes the label. */
export function LabelChip({ name, color = "gray", onRemove }: { name: string; color?: LabelColor; onRemove?: () => void }) {
  return (
    <span className={cx(styles.badge, styles[color])}>
      <span>{name}</span>
      {onRemove && (
        <button type="button" className={styles.remove} aria-label={texts.badge.removeTheLabel(name)} onClick={onRemove}>
          <X size={12} aria-hidden />
        </button>
      )}
    </span>
  );
}
