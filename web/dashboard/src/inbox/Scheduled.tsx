import { CalendarClock, CircleAlert } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { api } from "../api/client";
import type { List, ScheduledMessage } from "../api/types";
import { useQuery } from "../api/useQuery";
import { Button, cx, dayTime, dialogChunk, plainText, useToast } from "../kit";
import { newestHere, useLineState, useMe, useOnEvent, useStore } from "../sync";
import styles from "./Scheduled.module.css";
import { texts } from "./later.texts";
import { giveReturned } from "./returned";

const SnoozeDialog = dialogChunk(() => import("./SnoozeDialog").then((m) => m.SnoozeDialog));

interface Props {
  conversationId: string;
}

/** The messages of a conversation that are sent later. */
export function Scheduled({ conversationId }: Props) {
  const { data, reload } = useQuery<List<ScheduledMessage>>(`/v1/dashboard/conversations/${conversationId}/scheduled`);
  const live = useLineState() === "live";
  const wasLive = useRef(live);
  // Events that were missed are not told again.
  useEffect(() => {
    if (live && !wasLive.current) reload();
    wasLive.current = live;
  }, [live, reload]);
  useOnEvent((event) => {
    if (event.type.startsWith("scheduled_message.") && event.conversationId === conversationId) reload();
  });
  const all = data?.data ?? [];
  if (all.length === 0) return null;
  return (
    <ul className={styles.list} aria-label={texts.list}>
      {all.map((one) => (
        <Item key={one.id} message={one} onChange={reload} />
      ))}
    </ul>
  );
}

interface ItemProps {
  message: ScheduledMessage;
  onChange: () => void;
}

function Item({ message, onChange }: ItemProps) {
  const me = useMe();
  const store = useStore();
  const toast = useToast();
  const [picking, setPicking] = useState(false);
  const { conversationId, author, content, isPrivate, attachments, sendAt, state, heldReason, version } = message;
  const path = `/v1/dashboard/scheduled/${message.id}`;
  const mine = author.id === me.id || me.role !== "agent";
  const act = (request: Promise<unknown>, then?: () => void) => void request.then(then).catch(toast.failed).finally(onChange);
  const held = state === "held";
  const again = () => {
    const { contentType, ifQuiet, mentions } = message;
    const attachmentIds = attachments.map(({ id }) => id);
    const type = contentType === "text" || contentType === "markdown" ? { contentType } : {};
    act(api.post(`/v1/dashboard/conversations/${conversationId}/scheduled`, { content, ...type, isPrivate, mentions, attachmentIds, sendAt, ifQuiet }));
  };
  return (
    <li className={cx(styles.item, held && styles.held)}>
      {held ? <CircleAlert size={14} aria-hidden /> : <CalendarClock size={14} aria-hidden />}
      <div className={styles.what}>
        <span>{held ? texts.held[heldReason] : (isPrivate ? texts.noteWaits : texts.waits)(author.name, dayTime(sendAt))}</span>
        <span className={styles.words} dir="auto">
          {plainText(content)}
          {attachments.length > 0 && ` (${texts.files(attachments.length)})`}
        </span>
      </div>
      {mine && (
        <div className={styles.choices}>
          <Button size="sm" onClick={() => act(api.delete(path), () => giveReturned(me.id, { conversationId, content, isPrivate, attachments }, newestHere(store.state.get(), conversationId)))}>
            {texts.edit}
          </Button>
          <Button size="sm" onClick={() => setPicking(true)}>
            {texts.time}
          </Button>
          <Button size="sm" onClick={() => act(api.post(`${path}/send`))}>
            {texts.sendNow}
          </Button>
          <Button size="sm" variant="ghost" onClick={() => act(api.delete(path), () => toast.done(texts.cancelled, held ? undefined : { label: texts.undo, onSelect: again }))}>
            {texts.cancel}
          </Button>
        </div>
      )}
      {picking && (
        <SnoozeDialog
          title={texts.title}
          onClose={() => setPicking(false)}
          onPick={(at) => {
            setPicking(false);
            act(api.patch(path, { sendAt: new Date(at).toISOString(), version }));
          }}
        />
      )}
    </li>
  );
}
