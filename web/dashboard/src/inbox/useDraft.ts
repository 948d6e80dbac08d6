import { useEffect, useState } from "react";
import { newestHere, useMe, useStore } from "../sync";
import { dropSent, goneDraft, joined, leftOf, loadDraft, none, saveDraft, type Draft, type Returned } from "./drafts";
import { useUploads, type Uploads } from "./uploads";

export interface DraftState {
  draft: Draft;
  uploads: Uploads;
  /** Changes the text. What came since it was begun stops it once. */
  write: (change: (text: string) => string) => void;
  setNote: (note: boolean) => void;
  /** Puts what was sent before what is written. */
  takeBack: (item: Returned) => void;
  /** Empties the draft, here and in other tabs: it is on its way. */
  sent: () => void;
}

/** The draft of a conversation with its files. The browser keeps it while it is written; where another tab sends it, it goes here too. */
export function useDraft(conversationId: string): DraftState {
  const store = useStore();
  const me = useMe();
  const [draft, setDraft] = useState(() => loadDraft(me.id, conversationId));
  const uploads = useUploads(draft.files);
  const { all, ready, drop } = uploads;
  const kept = JSON.stringify(ready);
  useEffect(() => void saveDraft(me.id, conversationId, { ...draft, files: JSON.parse(kept) as typeof draft.files }), [me.id, conversationId, draft, kept]);
  useEffect(() => {
    const changed = (event: StorageEvent) => {
      const gone = goneDraft(me.id, conversationId, event);
      if (!gone) return;
      setDraft((old) => leftOf(old, gone));
      drop(gone.files.map(({ id }) => id));
    };
    window.addEventListener("storage", changed);
    return () => window.removeEventListener("storage", changed);
  }, [me.id, conversationId, drop]);
  const newest = () => newestHere(store.state.get(), conversationId);
  return {
    draft,
    uploads,
    write: (change) =>
      setDraft((old) => {
        const text = change(old.text);
        return { ...old, text, begun: text.trim() === "" ? undefined : (old.begun ?? newest()) };
      }),
    setNote: (note) => setDraft((old) => ({ ...old, note })),
    takeBack: (item) => {
      setDraft((old) => joined(old, item, newest(), all.length > 0));
      uploads.give(item.attachments);
    },
    sent: () => {
      setDraft(none);
      dropSent(me.id, conversationId, { ...draft, files: ready }); // to go on can take the composer away before its effects run
      uploads.clear();
    },
  };
}
