import { CloudOff, Inbox } from "lucide-react";
import type { ReactNode } from "react";
import { errorText } from "../api/client";
import { Button } from "./Button";
import { cx } from "./cx";
import styles from "./States.module.css";
import { texts } from "./texts";

/** What an empty place shows, and what to do there. */
export function EmptyState({ icon = <Inbox size={20} />, title, children, action }: { icon?: ReactNode; title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className={styles.state}>
      <div className={styles.icon} aria-hidden="true">
        {icon}
      </div>
      <h2>{title}</h2>
      {children && <p>{children}</p>}
      {action && <div className={styles.action}>{action}</div>}
    </div>
  );
}

/** Why something did not load, with a button to retry. */
export function ErrorState({ error, onRetry, title = texts.states.notLoaded }: { error: unknown; onRetry?: () => void; title?: string }) {
  return (
    <div className={styles.state} role="alert">
      <div className={cx(styles.icon, styles.fault)} aria-hidden="true">
        <CloudOff size={20} />
      </div>
      <h2>{title}</h2>
      <p>{errorText(error)}</p>
      {onRetry && (
        <div className={styles.action}>
          <Button onClick={onRetry}>{texts.states.tryAgain}</Button>
        </div>
      )}
    </div>
  );
}

/** A grey placeholder for content that is loading. Width and height are CSS lengths. */
export function Skeleton({ width = "100%", height = "0.9em", round = false }: { width?: string; height?: string; round?: boolean }) {
  return <span className={styles.skeleton} style={{ width, height, ...(round && { borderRadius: "var(--r-full)" }) }} aria-hidden="true" />;
}

/** Placeholder rows for a list that is loading, announced to screen readers. */
export function SkeletonRows({ count = 6, avatar = true }: { count?: number; avatar?: boolean }) {
  return (
    <div className={styles.rows} role="status">
      <span className="visually-hidden">{texts.states.loading}</span>
      {Array.from({ length: count }, (_, index) => (
        <div key={index} className={styles.row}>
          {avatar && <Skeleton width="var(--s-6)" height="var(--s-6)" round />}
          <div className={styles.lines}>
            <Skeleton width={`${45 + ((index * 17) % 40)}%`} />
            <Skeleton width={`${60 + ((index * 11) % 35)}%`} height="0.7em" />
          </div>
        </div>
      ))}
    </div>
  );
}
