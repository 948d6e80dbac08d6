// What was written and not sent, for each conversation, kept in this browser.

import type { Attachment } from "../api/types";
import { madeAt } from "./files";

export interface Draft {
  text: string;
  /** A private note, not a reply. */
  note: boolean;
  /** Files that were uploaded for it. */
  files: readonly Attachment[];
}

/** For how long an uploaded file can be counted on: the server keeps it a day. */
const waiting = 23 * 3600_000;

const prefix = "parley.draft.";

export function loadDraft(conversationId: string): Draft {
  try {
    const draft = JSON.parse(localStorage.getItem(prefix + conversationId) ?? "null") as Partial<Draft> | null;
    const files = (Array.isArray(draft?.files) ? (draft.files as Attachment[]) : []).filter(({ id }) => madeAt(id) + waiting > Date.now());
    if (typeof draft?.text === "string") return { text: draft.text, note: draft.note === true, files };
  } catch {
    // A draft that cannot be read is none.
  }
  return { text: "", note: false, files: [] };
}

export function saveDraft(conversationId: string, draft: Draft) {
  try {
    if (draft.text.trim() === "" && draft.files.length === 0) localStorage.removeItem(prefix + conversationId);
    else localStorage.setItem(prefix + conversationId, JSON.stringify(draft));
  } catch {
    // Without storage a draft lasts as long as its page.
  }
}

/** The text of a draft, "" for none. */
export function draftOf(conversationId: string): string {
  return loadDraft(conversationId).text.trim().slice(0, 160);
}
