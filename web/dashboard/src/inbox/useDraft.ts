import { useEffect, useState } from "react";
import { newestHere, useMe, useStore } from "../sync";
import { dropSent, goneDraft, joined, leftOf, loadDraft, none, saveDraft, type Draft, type Returned } from "./drafts";
import { useUploads, type Uploads } from "./uploads";

export interface DraftState {
  draft: Draft;
  uploads: Uploads;
  /** Changes the text. Messages that arrived since the draft was started stop it once. */
  write: (change: (text: string) => string) => void;
  setNote: (note: boolean) => void;
  /** Puts a sent message before the present text. */
  takeBack: (item: Returned) => void;
  /** Empties the draft, here and in other tabs, because it is being sent. */
  sent: () => void;
}

/**
 * The draft of a conversation with its files. The browser stores it while it is written; if another tab sends it, it
 * disappears here too.
 */
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
      dropSent(me.id, conversationId, { ...draft, files: ready }); // moving on may unmount the composer before its effects run
      uploads.clear();
    },
  };
}
