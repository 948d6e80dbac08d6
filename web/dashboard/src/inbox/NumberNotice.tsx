import { TriangleAlert } from "lucide-react";
import { useNow } from "../kit";
import { standingOf } from "../settings/numberstate";
import { useNumbers } from "../sync";
import styles from "./Conversation.module.css";

/** Why answers are delayed, if the WhatsApp number cannot send them now. */
export function NumberNotice({ inboxId }: { inboxId: string }) {
  const number = useNumbers().find((one) => one.inboxId === inboxId);
  const now = useNow();
  const standing = number && standingOf(number, now);
  return (
    <div role="status">
      {standing && standing.tone !== "ok" && (
        <p className={styles.notice}>
          <TriangleAlert size={14} aria-hidden />
          <span>
            <strong>
              {number.phone}: {standing.label}.
            </strong>{" "}
            {standing.note}
          </span>
        </p>
      )}
    </div>
  );
}
