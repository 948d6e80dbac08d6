import { useState, type ReactNode } from "react";
import { api } from "../api/client";
import { dropTexts } from "../articles/drafts";
import { dropDrafts } from "../inbox/drafts";
import { ConfirmDialog, useToast } from "../kit";
import { flushTime, unsentText } from "../outbox/leaving";
import { useMe, useStore } from "../sync";
import { texts } from "./texts";

/** Signs out. Unsent messages are sent first, or the member is asked about them. Render `dialog`. */
export function useSignOut(): { begin: () => Promise<void>; dialog: ReactNode } {
  const me = useMe();
  const { outbox } = useStore();
  const toast = useToast();
  const [asking, setAsking] = useState(false);
  const end = async () => {
    await api.delete("/v1/dashboard/session");
    dropDrafts(me.id);
    dropTexts(me.id);
    outbox.clear();
    location.assign("/signin");
  };
  const begin = async () => {
    if (outbox.items.get().length > 0) {
      toast.done(texts.signOut.sendingTheRest);
      if (!(await outbox.flush(flushTime))) return setAsking(true);
    }
    await end().catch(toast.failed);
  };
  const dialog = (
    <ConfirmDialog open={asking} onClose={() => setAsking(false)} title={texts.signOut.loseUnsent} action={texts.signOut.signOut} onConfirm={end}>
      {unsentText(outbox.items.get().length)} {texts.signOut.consequences}
    </ConfirmDialog>
  );
  return { begin, dialog };
}
