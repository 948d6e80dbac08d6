import { useEffect, useState } from "react";
import { newestHere, useDraftMark, useMe, useStore, type Store } from "../sync";
import { script } from "../kit/chunk";
import { useCell } from "../sync/cell";
import type { DraftSync } from "./draftsync";
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

/** How long nobody types until the server gets the draft (ms). */
const rest = 2000;

const draftsync = script(() => import("./draftsync"));

const made = new WeakMap<Store, DraftSync>();

/** The connection of a member's drafts to the server; null if its script cannot be fetched now. */
async function syncOf(store: Store, meId: string): Promise<DraftSync | null> {
  const arrived = await draftsync();
  if (!arrived) return null;
  const known = made.get(store) ?? new arrived.DraftSync({ meId, marks: store.drafts });
  made.set(store, known);
  return known;
}

/** Stores the draft on the server after a pause and when the member leaves, and takes what other devices have stored. */
function useStored(conversationId: string, contents: string) {
  const store = useStore();
  const { id: meId } = useMe();
  const version = useDraftMark(conversationId)?.version ?? 0;
  const loads = useCell(store.drafts.loads, (count) => count);
  useEffect(() => {
    const timer = setTimeout(() => void syncOf(store, meId).then((sync) => sync?.save(conversationId)), rest);
    return () => clearTimeout(timer);
  }, [store, meId, conversationId, contents]);
  useEffect(() => {
    const leave = () => void syncOf(store, meId).then((sync) => sync?.save(conversationId, true));
    const hidden = () => document.visibilityState === "hidden" && leave();
    document.addEventListener("visibilitychange", hidden);
    return () => {
      document.removeEventListener("visibilitychange", hidden);
      leave();
    };
  }, [store, meId, conversationId]);
  useEffect(() => {
    if (loads > 0) void syncOf(store, meId).then((sync) => sync?.take(conversationId));
  }, [store, meId, conversationId, version, loads]);
  useEffect(() => {
    if (loads > 0) void syncOf(store, meId).then((sync) => sync?.all());
  }, [store, meId, loads]);
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
  useStored(conversationId, JSON.stringify([draft.text, draft.note, kept]));
  const { clear, give } = uploads;
  useEffect(
    () =>
      store.drafts.onTaken((id) => {
        if (id !== conversationId) return;
        const taken = loadDraft(me.id, conversationId);
        setDraft(taken);
        clear();
        give(taken.files);
      }),
    [store, me.id, conversationId, clear, give],
  );
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
      store.drafts.saved(conversationId, { version: 0, preview: "" });
      void syncOf(store, me.id).then((sync) => sync?.save(conversationId));
    },
  };
}
