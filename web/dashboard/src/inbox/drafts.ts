// What was written and not sent, for each conversation, kept in this browser.

export interface Draft {
  text: string;
  /** A private note, not a reply. */
  note: boolean;
}

const prefix = "parley.draft.";

export function loadDraft(conversationId: string): Draft {
  try {
    const draft = JSON.parse(localStorage.getItem(prefix + conversationId) ?? "null") as Draft | null;
    if (typeof draft?.text === "string") return { text: draft.text, note: draft.note === true };
  } catch {
    // A draft that cannot be read is none.
  }
  return { text: "", note: false };
}

export function saveDraft(conversationId: string, draft: Draft) {
  try {
    if (draft.text.trim() === "") localStorage.removeItem(prefix + conversationId);
    else localStorage.setItem(prefix + conversationId, JSON.stringify(draft));
  } catch {
    // Without storage a draft lasts as long as its page.
  }
}

/** The text of a draft, "" for none. */
export function draftOf(conversationId: string): string {
  return loadDraft(conversationId).text.trim().slice(0, 160);
}
