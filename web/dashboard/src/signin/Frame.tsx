import type { ReactNode } from "react";
import { Logo } from "../shell/Logo";
import { useTitle } from "../kit";
import styles from "./SignIn.module.css";

/** The frame of the pages that need no session. */
export function Frame({ title, lead, children }: { title: string; lead?: ReactNode; children: ReactNode }) {
  useTitle(title);
  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <div className={styles.brand}>
          <Logo size={28} />
          Parley
        </div>
        <div>
          <h1>{title}</h1>
          {lead && <p className={styles.lead}>{lead}</p>}
        </div>
        {!window.isSecureContext && (
          <p className={styles.warn} role="alert">
            <strong>This page needs HTTPS.</strong> Browsers keep the session’s cookie only on secure pages and on localhost. Open the dashboard by its https address; the operator’s guide tells how to
            set one up.
          </p>
        )}
        {children}
      </div>
    </main>
  );
}
