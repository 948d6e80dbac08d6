import type { ReactNode } from "react";
import { Logo } from "../shell/Logo";
import { useTitle } from "../kit";
import styles from "./SignIn.module.css";
import { texts } from "./texts";

/** The frame of pages without a session. */
export function Frame({ title, lead, children }: { title: string; lead?: ReactNode; children: ReactNode }) {
  useTitle(title);
  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <div className={styles.brand}>
          <Logo size={28} />
          {texts.frame.parley}
        </div>
        <div>
          <h1>{title}</h1>
          {lead && <p className={styles.lead}>{lead}</p>}
        </div>
        {!window.isSecureContext && (
          <p className={styles.warn} role="alert">
            <strong>{texts.frame.needsHttps}</strong> {texts.frame.whyHttps}
          </p>
        )}
        {children}
      </div>
    </main>
  );
}
