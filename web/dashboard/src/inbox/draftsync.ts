// Keeps the drafts in this browser equal to those on the server. The browser's copy comes first: it is written at each
// key, the server's after a pause. A draft that was changed on two devices is joined, never replaced.
import { api, ApiError } from "../api/client";
import type { Attachment, ServerDraft } from "../api/types";
import type { DraftMarks } from "../sync/draftmarks";
import { contactOf, draftNames, loadDraft, none, saveDraft, storedKey, type Draft } from "./drafts";

/** The limit of the contract, in bytes of UTF-8; a longer text stays in the browser. */
const most = 65_536;

/** What the server had at last: its version, and the text that it was equal to. */
interface Known {
  version: number;
  text: string;
}

function known(memberId: string, conversationId: string): Known {
  try {
    const kept = JSON.parse(localStorage.getItem(storedKey(memberId, conversationId)) ?? "null") as Partial<Known> | null;
    if (typeof kept?.version === "number" && typeof kept.text === "string") return { version: kept.version, text: kept.text };
  } catch {
    // No storage.
  }
  return { version: 0, text: "" };
}

function remember(memberId: string, conversationId: string, now: Known) {
  try {
    if (now.version === 0) localStorage.removeItem(storedKey(memberId, conversationId));
    else localStorage.setItem(storedKey(memberId, conversationId), JSON.stringify(now));
  } catch {
    // Without storage, the next change is joined with the server's draft.
  }
}

/** What is compared of a draft; "" for an empty one. */
export function contents({ text, note, files }: Pick<Draft, "text" | "note"> & { files: readonly { id: string }[] }): string {
  if (text.trim() === "" && files.length === 0) return "";
  return JSON.stringify([text.trim() === "" ? "" : text, note, files.map(({ id }) => id)]);
}

/** The text of a draft in a form that `contents` returned. */
const textIn = (text: string): string => (text === "" ? "" : (JSON.parse(text) as [string])[0]);

/**
 * What both devices wrote: one text if it continues the other, else both. What one of them wrote for the team
 * stays a note. `sent` is what this device had stored before it emptied its draft.
 */
export function joinedDrafts(here: Draft, there: Draft, sent: string): Draft {
  if (contents(there) === "") return here;
  if (contents(here) === "") return there.files.length === 0 && sent.startsWith(there.text) ? none : there;
  const texts = [there.text, here.text];
  const text = texts.find((one) => texts.every((other) => one.startsWith(other) || one.endsWith(`\n${other}`))) ?? texts.join("\n\n");
  const files = [...there.files, ...here.files.filter(({ id }) => there.files.every((other) => other.id !== id))];
  return { ...here, text, note: here.note || there.note, files };
}

interface Of {
  meId: string;
  marks: DraftMarks;
}

export class DraftSync {
  private readonly of: Of;
  private readonly running = new Map<string, Promise<void>>();

  constructor(of: Of) {
    this.of = of;
  }

  /** Stores the draft of a conversation on the server, if that has another one. One request at a time. */
  save(id: string, last = false): Promise<void> {
    const before = this.running.get(id) ?? Promise.resolve();
    const after = before.then(() => this.put(id, last)).catch(passing);
    this.running.set(id, after);
    void after.finally(() => this.running.get(id) === after && this.running.delete(id));
    return after;
  }

  /** Takes what another device has stored. */
  take(id: string): Promise<void> {
    const before = this.running.get(id) ?? Promise.resolve();
    const after = before
      .then(() => {
        const own = this.of.marks.own.get();
        return !own || (own.get(id)?.version ?? 0) === known(this.of.meId, id).version ? undefined : this.get(id);
      })
      .catch(passing);
    this.running.set(id, after);
    return after;
  }

  /** Stores what the server lacks, and drops what another device has sent. */
  async all() {
    const { meId, marks } = this.of;
    const own = marks.own.get();
    if (!own) return;
    for (const id of new Set([...draftNames(meId), ...knownNames(meId)])) {
      if (contactOf(id) !== undefined) continue;
      if (contents(loadDraft(meId, id)) !== known(meId, id).text) await this.save(id);
      else if (!own.has(id)) await this.take(id);
    }
  }

  private async put(id: string, last: boolean): Promise<void> {
    const { meId } = this.of;
    const draft = loadDraft(meId, id);
    const now = contents(draft);
    const before = known(meId, id);
    if (now === before.text || new TextEncoder().encode(draft.text).length > most) return;
    const body = { content: draft.text, isPrivate: draft.note, attachmentIds: draft.files.map((file) => file.id), begunId: draft.begun || null, version: before.version };
    try {
      const stored = await api.put<ServerDraft>(`/v1/dashboard/conversations/${id}/draft`, body, { keepalive: last && draft.text.length < 20_000 });
      remember(meId, id, { version: stored.version, text: now });
      this.of.marks.saved(id, { version: stored.version, preview: draft.text.slice(0, 200) });
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 409) {
        if (error instanceof ApiError && error.status === 404) remember(meId, id, { version: 0, text: "" });
        throw error;
      }
      await this.get(id);
      await this.put(id, last);
    }
  }

  /** Reads the server's draft and joins it with what was written here since. */
  private async get(id: string): Promise<void> {
    const { meId } = this.of;
    const stored = await api.get<ServerDraft>(`/v1/dashboard/conversations/${id}/draft`);
    const files = await filesOf(stored.attachmentIds, loadDraft(meId, id).files);
    const here = loadDraft(meId, id);
    const before = known(meId, id);
    const there: Draft = { text: stored.content, note: stored.isPrivate, files, begun: stored.begunId ?? undefined };
    const next = contents(here) === before.text ? there : joinedDrafts(here, there, textIn(before.text));
    remember(meId, id, { version: stored.version, text: contents(there) });
    this.of.marks.saved(id, { version: stored.version, preview: stored.content.slice(0, 200) });
    if (contents(next) === contents(here)) return;
    saveDraft(meId, id, next);
    this.of.marks.taken(id);
  }
}

/** A failure is retried with the next change, or when the connection is back. */
function passing(error: unknown) {
  if (!(error instanceof ApiError)) throw error;
}

function knownNames(meId: string): string[] {
  const mine = storedKey(meId, "");
  try {
    return Object.keys(localStorage).flatMap((key) => (key.startsWith(mine) ? [key.slice(mine.length)] : []));
  } catch {
    return [];
  }
}

/** The files with these ids, as far as they still exist. */
async function filesOf(ids: readonly string[], here: readonly Attachment[]): Promise<Attachment[]> {
  const found = await Promise.all(
    ids.map(async (id) => {
      const file = here.find((one) => one.id === id);
      if (file) return file;
      try {
        return await api.get<Attachment>(`/v1/public/attachments/${id}`);
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return undefined;
        throw error;
      }
    }),
  );
  return found.flatMap((file) => file ?? []);
}
