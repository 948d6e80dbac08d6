import { CalendarClock } from "lucide-react";
import { useState } from "react";
import { Checkbox, dialogChunk, IconButton } from "../kit";
import { useCommand } from "../shell/commands";
import { texts } from "./later.texts";

const SnoozeDialog = dialogChunk(() => import("./SnoozeDialog").then((m) => m.SnoozeDialog));

interface Props {
  sendable: boolean;
  note: boolean;
  onPick: (at: number, ifQuiet: boolean) => void;
}

/** Sends what is written at a time. */
export function SendLater({ sendable, note, onPick }: Props) {
  const [open, setOpen] = useState(false);
  const [ifQuiet, setIfQuiet] = useState(true);
  const show = () => setOpen(true);
  useCommand("sendLater", sendable ? show : null);
  const pick = (at: number) => {
    setOpen(false);
    onPick(at, ifQuiet);
  };
  return (
    <>
      <IconButton size="sm" label={texts.sendLater} shortcut="Mod+Shift+s" icon={<CalendarClock size={16} />} disabled={!sendable} onClick={show} />
      {open && (
        <SnoozeDialog title={texts.title} onClose={() => setOpen(false)} onPick={pick}>
          {!note && <Checkbox label={texts.ifQuiet} checked={ifQuiet} onChange={setIfQuiet} />}
        </SnoozeDialog>
      )}
    </>
  );
}
