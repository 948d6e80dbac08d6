import { Eye, PenLine } from "lucide-react";
import { useMember, useOthersHere } from "../sync";
import styles from "./Conversation.module.css";
import { texts } from "./texts";

/** "Ann is also looking at this", so that two members do not answer the same customer. */
export function Others({ conversationId }: { conversationId: string }) {
  const others = useOthersHere(conversationId);
  return (
    <div role="status">
      {others.map((other) => (
        <Other key={other.memberId} memberId={other.memberId} typing={other.typing} />
      ))}
    </div>
  );
}

function Other({ memberId, typing }: { memberId: string; typing: boolean }) {
  const member = useMember(memberId);
  if (!member) return null;
  return (
    <p className={styles.others}>
      {typing ? <PenLine size={14} aria-hidden /> : <Eye size={14} aria-hidden />}
      {typing ? texts.others.writes(member.name) : texts.others.looks(member.name)}
    </p>
  );
}
