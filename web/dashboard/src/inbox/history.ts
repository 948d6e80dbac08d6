// The history of a conversation as quiet lines between its messages. It is read once the conversation has been open for
// a moment, and stays current by the events.
import { api } from "../api/client";
import type { Actor, EventOf, HistoryEntry, LogEvent, Page } from "../api/types";
import { fullTime } from "../kit";
import type { Store } from "../sync";
import { createCell } from "../sync/cell";
import { texts } from "./history.texts";

/** What an actor changed at a time, in words. */
export interface Line {
  id: string;
  at: string;
  actor: Actor;
  parts: readonly string[];
  /** The conversation whose merge can be undone by this line. */
  merged?: string;
  /** The conversation that was split off, and can be merged back by this line. */
  split?: string;
  /** The conversation on the other side of a split. */
  other?: string;
}

/** A change, and the event that told of it; 0 for one that was read. */
interface Heard {
  entry: HistoryEntry;
  seq: number;
}

/** How many conversations' histories a tab keeps. */
const most = 40;
/** One actor's changes within this time are one line (ms). */
const together = 5 * 60_000;

/** The histories of the conversations that were opened last. */
export class Histories {
  readonly known = createCell<ReadonlyMap<string, readonly HistoryEntry[]>>(new Map());
  /** What happened while a history is being read. */
  private readonly meanwhile = new Map<string, Heard[]>();
  private readonly store: Store;

  constructor(store: Store) {
    this.store = store;
    store.onEvent((event) => this.heard(event));
    store.renewals.subscribe(() => this.known.set(new Map()));
  }

  /** Reads a history, unless it is known. If it cannot be read, there are no lines. */
  async load(id: string): Promise<void> {
    if (this.known.get().has(id) || this.meanwhile.has(id)) return;
    const heard: Heard[] = [];
    this.meanwhile.set(id, heard);
    const turn = this.store.renewals.get();
    try {
      const entries: HistoryEntry[] = [];
      let seq: number | null = 0;
      for (let cursor = "", more = true; more; ) {
        const { data, position } = await api.read<Page<HistoryEntry>>(`/v1/public/conversations/${id}/history`, { limit: 200, cursor });
        seq = this.store.seqOf(position);
        entries.push(...data.data);
        cursor = data.next_cursor;
        more = data.has_more;
      }
      if (seq === null || turn !== this.store.renewals.get()) return;
      const read = seq;
      entries.push(...heard.flatMap((one) => (one.seq > read ? one.entry : [])));
      this.known.update((old) => new Map([...[...old].slice(-most + 1), [id, entries]]));
    } catch {
      // Read the next time that the conversation is opened.
    } finally {
      this.meanwhile.delete(id);
    }
  }

  private heard(event: LogEvent) {
    const entry = entryOf(event);
    if (!entry) return;
    const id = entry.conversationId;
    this.meanwhile.get(id)?.push({ entry, seq: event.seq });
    const known = this.known.get().get(id);
    if (known) this.known.update((old) => new Map(old).set(id, [...known, entry]));
  }
}

/** What the history records of an event; undefined for what it leaves out. */
export function entryOf(event: LogEvent): HistoryEntry | undefined {
  if (event.type === "conversation.merged" || event.type === "conversation.unmerged") return entryOfMerge(event);
  if (event.type === "conversation.split") return entryOfSplit(event);
  if (event.type !== "conversation.updated") return undefined;
  const { data, changed } = event;
  const { contact, ...values } = data;
  const all: Record<string, unknown> = { ...values, contactId: contact.id };
  const names = changed.map((name) => (name === "contact" ? "contactId" : name)).filter((name) => recorded.includes(name));
  if (names.length === 0) return undefined;
  return {
    id: String(event.seq),
    conversationId: data.id,
    type: event.type,
    createdAt: event.createdAt,
    actor: event.actor,
    cause: event.cause,
    imported: event.imported,
    changes: Object.fromEntries(names.map((name) => [name, all[name] ?? null])),
  };
}

/** A merge is a line of the conversation that shows the messages. */
function entryOfMerge({ seq, type, createdAt, actor, cause, imported, data }: EventOf<"conversation.merged" | "conversation.unmerged">): HistoryEntry {
  const changes = type === "conversation.merged" ? { mergedFrom: data.id } : { unmergedFrom: data.id };
  return { id: String(seq), conversationId: data.intoId, type: "conversation.updated", createdAt, actor, cause, imported, changes };
}

/** A split is a line of the conversation that the messages came from. */
function entryOfSplit({ seq, createdAt, actor, cause, imported, data }: EventOf<"conversation.split">): HistoryEntry {
  return { id: String(seq), conversationId: data.fromId, type: "conversation.updated", createdAt, actor, cause, imported, changes: { splitInto: data.id } };
}

type Changes = HistoryEntry["changes"] & {
  snoozedUntil?: string | null;
  team?: { name: string } | null;
  mergedInto?: string | null;
  splitFrom?: string | null;
  mergedFrom?: string;
  unmergedFrom?: string;
  splitInto?: string;
};

const recorded = ["status", "priority", "spam", "labels", "assignee", "product", "inbox", "contactId", "snoozedUntil", "team", "mergedInto", "splitFrom"];

/** The changes of a history in words, oldest first. Labels say what was added and removed, so they need the ones before. */
export function linesOf(entries: readonly HistoryEntry[]): Line[] {
  const lines: Line[] = [];
  let labels: readonly string[] = [];
  for (const { id, createdAt: at, actor, type, changes } of entries) {
    const parts = type === "conversation.created" ? createdWords(actor, changes) : wordsOf(actor, changes, labels);
    labels = changes.labels ?? labels;
    if (parts.length > 0) lines.push({ id, at, actor, parts, ...actsOf(entries, id, at, changes) });
  }
  return lines;
}

/** What a line can undo, and where it leads. */
function actsOf(entries: readonly HistoryEntry[], id: string, at: string, { mergedFrom, splitInto, splitFrom }: Changes): Partial<Line> {
  if (splitFrom) return { other: splitFrom };
  if (splitInto && mergeOf(entries, splitInto) === undefined) return { other: splitInto, split: splitInto };
  return mergedFrom && mergeOf(entries, mergedFrom) === id && recent(at) ? { merged: mergedFrom } : {};
}

/** The entry by which a conversation was merged and is still; undefined if it was taken out again. */
function mergeOf(entries: readonly HistoryEntry[], from: string): string | undefined {
  const last = entries.findLast(({ changes }) => (changes as Changes).mergedFrom === from || (changes as Changes).unmergedFrom === from);
  return last && (last.changes as Changes).mergedFrom ? last.id : undefined;
}

/** A merge can be undone for 30 days. */
const recent = (at: string) => Date.now() - Date.parse(at) < 30 * 86_400_000;

/** A conversation that a customer began says so by its first message. */
function createdWords(actor: Actor, { assignee, splitFrom }: Changes): string[] {
  if (["customer", "system", "import"].includes(actor.type)) return [];
  return [splitFrom ? texts.split : texts.created, ...(assignee && !splitFrom ? [assignedWords(actor, assignee)] : [])];
}

const assignedWords = (actor: Actor, { id, name }: { id: string; name: string }) => (actor.id === id ? texts.took : texts.assigned(name));

function wordsOf(actor: Actor, changes: Changes, labels: readonly string[]): string[] {
  const parts: string[] = [];
  const { status, snoozedUntil, assignee, team, priority, product, inbox, contactId, spam, mergedInto, splitFrom, mergedFrom, unmergedFrom } = changes;
  if (snoozedUntil) parts.push(texts.snoozed(fullTime(snoozedUntil)));
  else if (mergedInto === undefined && status) parts.push(texts[status]);
  if (mergedInto !== undefined) parts.push(mergedInto ? texts.merged : texts.unmerged);
  if (mergedFrom) parts.push(texts.mergedFrom);
  if (unmergedFrom) parts.push(texts.unmergedFrom);
  if (splitFrom) parts.push(texts.split);
  if (changes.splitInto) parts.push(texts.splitInto);
  if (assignee !== undefined) parts.push(assignee ? assignedWords(actor, assignee) : texts.unassigned);
  if (team !== undefined) parts.push(team ? texts.team(team.name) : texts.noTeam);
  if (changes.labels) {
    const now = changes.labels;
    const [added, removed] = [now.filter((name) => !labels.includes(name)), labels.filter((name) => !now.includes(name))];
    if (added.length > 0) parts.push(texts.labelled(texts.and(added)));
    if (removed.length > 0) parts.push(texts.unlabelled(texts.and(removed)));
  }
  if (priority !== undefined) parts.push(priority ? texts.priority(texts.priorities[priority] ?? priority) : texts.noPriority);
  if (product !== undefined) parts.push(product ? texts.product(product.name) : texts.noProduct);
  if (inbox) parts.push(texts.inbox(inbox.name));
  if (contactId) parts.push(texts.contact);
  if (spam !== undefined) parts.push(spam ? texts.spam : texts.noSpam);
  return parts;
}

/** Joins a line to the one before it if nothing stands between them: the same actor, shortly after. */
export function folded(before: Line | undefined, line: Line): Line | undefined {
  if (before?.actor.type !== line.actor.type || before.actor.id !== line.actor.id || Date.parse(line.at) - Date.parse(before.at) >= together) return undefined;
  if ([before, line].some(({ merged, other }) => merged ?? other)) return undefined; // its buttons belong to one act
  return { ...before, parts: [...before.parts, ...line.parts] };
}

/** Who changed something; members by their present name. */
export function actorName({ type, id, name }: Actor, nameOf: (memberId: string) => string | undefined): string {
  switch (type) {
    case "member":
      return nameOf(id) ?? name;
    case "key":
      return name;
    case "customer":
      return texts.customer;
    case "bot":
      return texts.bot;
    case "rule":
      return name || texts.rule;
    case "import":
      return texts.imported;
    case "system":
      return texts.system;
  }
}

/** A line in words. */
export const sentence = (line: Line, nameOf: (memberId: string) => string | undefined): string => texts.line(actorName(line.actor, nameOf), texts.and(line.parts));
