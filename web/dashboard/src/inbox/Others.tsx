import { Eye, PenLine, SquarePen } from "lucide-react";
import { fullTime } from "../kit";
import { useDraftsOfOthers, useMember, useOthersHere } from "../sync";
import styles from "./Conversation.module.css";
import { texts } from "./texts";

/** "Ann is also looking at this" and "Ann has a draft", so that two members do not answer the same customer. */
export function Others({ conversationId }: { conversationId: string }) {
  const others = useOthersHere(conversationId);
  const drafts = useDraftsOfOthers(conversationId);
  const typing = new Set(others.flatMap((other) => (other.typing ? other.memberId : [])));
  return (
    <div role="status">
      {others.map((other) => (
        <Other key={other.memberId} memberId={other.memberId} typing={other.typing} />
      ))}
      {[...drafts].map(([memberId, since]) => !typing.has(memberId) && <Drafting key={memberId} memberId={memberId} since={since} />)}
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

function Drafting({ memberId, since }: { memberId: string; since: string }) {
  const member = useMember(memberId);
  if (!member) return null;
  return (
    <p className={styles.others} title={texts.others.draftSince(fullTime(since))}>
      <SquarePen size={14} aria-hidden />
      {texts.others.hasDraft(member.name)}
    </p>
  );
}
