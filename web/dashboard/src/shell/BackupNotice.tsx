import { DatabaseBackup } from "lucide-react";
import { useEffect } from "react";
import type { Backups } from "../api/types";
import { useQuery } from "../api/useQuery";
import { shortDate } from "../kit/time";
import { useMe } from "../sync";
import styles from "./Shell.module.css";
import { texts } from "./texts";

/** How often the state of the backups is read, in milliseconds. It changes within hours. */
const pollInterval = 10 * 60_000;

/** Tells admins that the scheduled backups of the server are late. */
export function BackupNotice() {
  const me = useMe();
  const { data, reload } = useQuery<Backups>(me.role === "agent" ? null : "/v1/dashboard/backups");
  useEffect(() => {
    const timer = setInterval(reload, pollInterval);
    return () => clearInterval(timer);
  }, [reload]);
  return (
    <div role="status">
      {data?.late && (
        <div className={styles.line}>
          <DatabaseBackup size={13} aria-hidden />
          {data.lastAt === null ? texts.backups.late : texts.backups.lateSince(shortDate(data.lastAt))}
        </div>
      )}
    </div>
  );
}
