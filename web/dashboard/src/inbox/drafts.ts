// Unsent text of a member, for each conversation, stored in this browser until the member signs out,
// or the conversation is deleted.

import type { Attachment } from "../api/types";
import type { Item } from "../outbox/item";
import { madeAt } from "./files";

export interface Draft {
  text: string;
  /** A private note instead of a reply. */
  note: boolean;
  /** Files that were uploaded for it. */
  files: readonly Attachment[];
  /** The newest message when the draft was started, which tells the server what came since; absent if it is empty. */
  begun?: string | undefined;
}

export const none: Draft = { text: "", note: false, files: [] };

/** How long an uploaded file can be relied on: the server keeps it for a day. */
const waiting = 23 * 3600_000;

const prefix = "parley.draft.";

/** Where a browser remembers what the server has of a draft. */
export const storedKey = (memberId: string, conversationId: string) => `parley.stored.${memberId}.${conversationId}`;

/** Several members may use one browser, and private notes must not be shown to another. */
const keyOf = (memberId: string, conversationId: string) => `${prefix}${memberId}.${conversationId}`;

/** Deletes the drafts of a member, and those that belong to no member. */
export function dropDrafts(memberId: string) {
  try {
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith(keyOf(memberId, "")) || key.startsWith(storedKey(memberId, "")) || (key.startsWith(prefix) && !key.slice(prefix.length).includes("."))) localStorage.removeItem(key);
    }
  } catch {
    // Without storage there are no drafts.
  }
}

/** The names of a member's drafts: ids of conversations, and the names that `draftFor` gives. */
export function draftNames(memberId: string): string[] {
  const mine = keyOf(memberId, "");
  try {
    return Object.keys(localStorage).flatMap((key) => (key.startsWith(mine) ? [key.slice(mine.length)] : []));
  } catch {
    return []; // without storage there are no drafts
  }
}

export function loadDraft(memberId: string, conversationId: string): Draft {
  try {
    return draftIn(localStorage.getItem(keyOf(memberId, conversationId))) ?? none;
  } catch {
    return none; // an unreadable draft counts as none
  }
}

function draftIn(kept: string | null): Draft | undefined {
  try {
    const draft = JSON.parse(kept ?? "null") as Partial<Draft> | null;
    const files = (Array.isArray(draft?.files) ? (draft.files as Attachment[]) : []).filter(({ id }) => madeAt(id) + waiting > Date.now());
    const begun = typeof draft?.begun === "string" ? { begun: draft.begun } : {};
    if (typeof draft?.text === "string") return { text: draft.text, note: draft.note === true, files, ...begun };
  } catch {
    // No storage.
  }
  return undefined;
}

/** Deletes a sent draft. It is stored once more as it was sent, for other tabs that show the conversation. */
export function dropSent(memberId: string, conversationId: string, draft: Draft) {
  saveDraft(memberId, conversationId, draft);
  saveDraft(memberId, conversationId, none);
}

/** The draft that another tab has just deleted; undefined for other changes of the storage. */
export function goneDraft(memberId: string, conversationId: string, { key, oldValue, newValue }: Pick<StorageEvent, "key" | "oldValue" | "newValue">): Draft | undefined {
  return key === keyOf(memberId, conversationId) && newValue === null ? draftIn(oldValue) : undefined;
}

/** What is left of a draft after another tab has sent one: nothing if all of it was sent. */
export function leftOf(draft: Draft, gone: Draft): Draft {
  return gone.text.startsWith(draft.text) ? none : { ...draft };
}

/** The name of the draft of a conversation with a contact that has not begun; "" for nobody yet. */
export const draftFor = (contactId: string) => `new.${contactId}`;

/** The contact of a draft for a conversation that has not begun; undefined for other drafts, "" for nobody yet. */
export const contactOf = (name: string) => (name.startsWith(draftFor("")) ? name.slice(draftFor("").length) : undefined);

/** Stores a draft and returns whether the storage accepted it. */
export function saveDraft(memberId: string, conversationId: string, draft: Draft): boolean {
  try {
    if (draft.text.trim() === "" && draft.files.length === 0) localStorage.removeItem(keyOf(memberId, conversationId));
    else localStorage.setItem(keyOf(memberId, conversationId), JSON.stringify(draft));
    return true;
  } catch {
    return false; // without storage a draft lasts as long as its page
  }
}

/** A sent message that returns to the composer. */
export type Returned = Pick<Item, "conversationId" | "content" | "isPrivate" | "attachments">;

/**
 * A draft with a sent message put before its text. `newest` is the newest message, which the author has seen now. A
 * reply and a private note become a note, so that the customer reads nothing that was meant for the team.
 */
export function joined(draft: Draft, { content, isPrivate, attachments }: Returned, newest: string, attached = draft.files.length > 0): Draft {
  return {
    text: [content, draft.text].filter((text) => text.trim() !== "").join("\n\n"),
    note: isPrivate || (draft.note && (attached || draft.text.trim() !== "")),
    files: [...attachments, ...draft.files],
    begun: newest,
  };
}

/** Puts a sent message back into the draft of its conversation and returns whether the storage accepted it. */
export function giveBack(memberId: string, item: Returned, newest: string): boolean {
  return saveDraft(memberId, item.conversationId, joined(loadDraft(memberId, item.conversationId), item, newest));
}

/** The text of a draft, "" for none. */
export function draftOf(memberId: string, conversationId: string): string {
  return loadDraft(memberId, conversationId).text.trim().slice(0, 160);
}
