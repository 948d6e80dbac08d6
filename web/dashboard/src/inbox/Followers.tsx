import { BellMinus, BellPlus } from "lucide-react";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { Followers as List, LogEvent } from "../api/types";
import { useQuery } from "../api/useQuery";
import { Avatar, Button } from "../kit";
import { useMe, useMember, useOnEvent } from "../sync";
import styles from "./Contact.module.css";
import { useFollow } from "./follow";
import { texts } from "./follow.texts";

/** The server makes members follow within a second after an event (ms). */
const soon = 1500;
/** Nobody needs the names before (ms): whoever goes through conversations asks for none. */
const rest = 4000;

/** Who follows a conversation. */
export function Followers({ conversationId }: { conversationId: string }) {
  const me = useMe();
  const [rested, setRested] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setRested(true), rest);
    return () => clearTimeout(timer);
  }, []);
  const { data, reload } = useQuery<List>(rested ? `/v1/dashboard/conversations/${conversationId}/followers` : null);
  const { follows, toggle } = useFollow(conversationId);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useOnEvent((event) => {
    if (event.conversationId !== conversationId || !mayJoin(event)) return;
    clearTimeout(timer.current);
    timer.current = setTimeout(reload, soon);
  });
  // The list may be older than the member's own decision.
  const known = data?.memberIds.includes(me.id);
  const again = useEffectEvent(() => known !== undefined && known !== follows && reload());
  useEffect(() => void again(), [follows]);
  const others = data?.memberIds.filter((id) => id !== me.id) ?? [];
  const ids = follows ? [...others, me.id] : others;
  return (
    <section className={styles.part} aria-label={texts.title}>
      <h3>{texts.title}</h3>
      {ids.length === 0 && data && <p className={styles.sub}>{texts.nobody}</p>}
      {ids.length > 0 && (
        <ul className={styles.followers}>
          {ids.map((id) => (
            <Follower key={id} id={id} mine={id === me.id} />
          ))}
        </ul>
      )}
      <Button size="sm" icon={follows ? <BellMinus size={14} /> : <BellPlus size={14} />} onClick={toggle}>
        {follows ? texts.leave : texts.follow}
      </Button>
    </section>
  );
}

/** Whether an event may make members follow its conversation: who answers, is named in a note, or gets it. */
function mayJoin(event: LogEvent): boolean {
  if (event.type === "message.created") return event.data.messageType === "outgoing";
  return event.type === "conversation.updated" && event.changed.includes("assignee");
}

function Follower({ id, mine }: { id: string; mine: boolean }) {
  const member = useMember(id);
  if (!member) return null;
  return (
    <li>
      <Avatar id={id} name={member.name} image={member.image} size={20} />
      <span>{mine ? texts.me(member.name) : member.name}</span>
    </li>
  );
}
