import { AlarmClock, AlarmClockOff } from "lucide-react";
import { useState } from "react";
import type { Conversation, ConversationChange } from "../api/types";
import { dialogChunk, IconButton } from "../kit";
import { useCommand } from "../shell/commands";
import { texts } from "./snooze.texts";

const SnoozeDialog = dialogChunk(() => import("./SnoozeDialog").then((m) => m.SnoozeDialog));

interface Props {
  conversation: Conversation;
  change: (change: ConversationChange) => void;
}

/** Until when the conversation sleeps; null if it does not. */
export function sleepsUntil({ status, snoozedUntil }: Conversation): string | null {
  return status === "pending" ? snoozedUntil : null;
}

/** Puts the conversation to sleep until a time, or wakes it. */
export function Snooze({ conversation, change }: Props) {
  const [open, setOpen] = useState(false);
  const asleep = sleepsUntil(conversation) !== null;
  const act = () => (asleep ? change({ snoozedUntil: null }) : setOpen(true));
  const label = asleep ? texts.wake : texts.snooze;
  useCommand("snooze", act, label);
  const pick = (at: number) => {
    setOpen(false);
    change({ snoozedUntil: new Date(at).toISOString() });
  };
  return (
    <>
      <IconButton label={label} shortcut="b" icon={asleep ? <AlarmClockOff size={17} /> : <AlarmClock size={17} />} onClick={act} />
      {open && <SnoozeDialog onClose={() => setOpen(false)} onPick={pick} />}
    </>
  );
}
