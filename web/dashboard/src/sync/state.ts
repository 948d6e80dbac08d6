// What the dashboard knows of the workspace: records, each with the number of
// the event (or the position of the read) it comes from. The state is never
// changed in place; reduce.ts and ingest.ts make the next one.
import type { ChatNumber } from "../api/numbers";
import type { CannedAnswer, Company, Contact, Conversation, Inbox, Label, LogEvent, Member, Message, MessagePreview, Product, Ref, WorkspaceState } from "../api/types";

/** A record and the position of the log at which it was so. */
export interface Entry<T> {
  value: T;
  seq: number;
}
export type Table<T> = ReadonlyMap<string, Entry<T>>;

/** Which conversations a list shows. Absent: all. `none` is an id that stands for "without". */
export interface Filter {
  status?: string;
  assigneeId?: string;
  inboxId?: string;
  productId?: string;
  label?: string;
  contactId?: string;
  companyId?: string;
  /** `waiting`: only those whose customer waits, the longest first. Absent: most recently active first. */
  order?: string;
}

/** A list of conversations in the order of its filter, as far as it was loaded. */
export interface ConversationList {
  filter: Filter;
  ids: readonly string[];
  /** The first page is here. */
  loaded: boolean;
  /** There are older ones behind `cursor`. */
  more: boolean;
  cursor: string;
}

/** The messages of a conversation, oldest first, as far as they were loaded. */
export interface MessageLog {
  items: readonly Entry<Message>[];
  loaded: boolean;
  /** There are older ones behind `cursor`. */
  more: boolean;
  cursor: string;
  /** It was loaded around a message, so its cursors are those of the list of messages. */
  around: boolean;
  /** There are newer ones behind `laterCursor`, or behind the last one here where that is "". */
  later: boolean;
  laterCursor: string;
}

/** Why a conversation is unread for the member; "" for one that was read. */
export type Unseen = "new" | "marked" | "";

export interface State {
  epoch: string;
  /** The newest event that is part of this. */
  seq: number;
  /** That event's check, by which the server knows it again. */
  check: string;
  workspace: Ref;
  meId: string;
  members: Table<Member>;
  formerMembers: Table<Member>;
  inboxes: Table<Inbox>;
  products: Table<Product>;
  labels: Table<Label>;
  cannedAnswers: Table<CannedAnswer>;
  numbers: Table<ChatNumber>;
  contacts: Table<Contact>;
  companies: Table<Company>;
  conversations: Table<Conversation>;
  /** Contacts that were merged away, and into which. */
  merged: ReadonlyMap<string, string>;
  messages: ReadonlyMap<string, MessageLog>;
  /** The newest message of a conversation, for its row in a list; null for none. */
  previews: Table<MessagePreview | null>;
  /** What the member has to read: conversations with something new, and those marked to come back to. */
  unread: Table<Unseen>;
  lists: ReadonlyMap<string, ConversationList>;
  /** Conversations that moved without being known here; the store reads them. */
  wanted: ReadonlySet<string>;
}

export type TableName = "members" | "formerMembers" | "inboxes" | "products" | "labels" | "cannedAnswers" | "numbers" | "contacts" | "companies" | "conversations" | "previews" | "unread";

/** The records of a table. */
export type In<K extends TableName> = State[K] extends Table<infer T> ? T : never;

/** A position of the log: `<epoch>.<seq>.<check>`. Old events have no check, which is "" then. */
export interface Position {
  epoch: string;
  seq: number;
  check: string;
}

/** An event with its check, where that is known. */
export type CheckedEvent = LogEvent & { check?: string };

export function parsePosition(text: string): Position | null {
  const [, epoch, seq, check = ""] = /^([^.]+)\.(\d+)(?:\.([a-z0-9]+))?$/.exec(text) ?? [];
  return epoch && seq ? { epoch, seq: Number(seq), check } : null;
}

export function positionText({ epoch, seq, check }: Position): string {
  return check === "" ? `${epoch}.${seq}` : `${epoch}.${seq}.${check}`;
}

/** The first state, from what the server answers at the start. */
export function initialState(from: WorkspaceState): State {
  const position = parsePosition(from.position);
  if (!position) throw new Error(`position: ${from.position} is none`);
  const { epoch, seq, check } = position;
  const table = <T>(items: readonly T[], id: (item: T) => string): Table<T> => new Map(items.map((value) => [id(value), { value, seq }]));
  const byId = <T extends { id: string }>(items: readonly T[]) => table(items, (item) => item.id);
  return {
    epoch,
    seq,
    check,
    workspace: from.workspace,
    meId: from.member.id,
    members: byId(from.members),
    formerMembers: byId(from.formerMembers),
    inboxes: byId(from.inboxes),
    products: byId(from.products),
    labels: table(from.labels, (label) => label.name),
    cannedAnswers: byId(from.cannedAnswers),
    numbers: byId(from.numbers),
    contacts: new Map(),
    companies: new Map(),
    conversations: new Map(),
    merged: new Map(),
    messages: new Map(),
    previews: new Map(),
    unread: new Map(),
    lists: new Map(),
    wanted: new Set(),
  };
}

/**
 * A state in the making. Each map is copied at its first change only, so a
 * batch of a thousand events copies it once, and a map that nothing touched
 * stays the same object for those who compare.
 */
export class Draft {
  readonly state: { -readonly [K in keyof State]: State[K] };
  private readonly copied = new Set<keyof State>();

  constructor(from: State) {
    this.state = { ...from };
  }

  map<K extends TableName | "merged" | "messages" | "lists">(name: K): Map<string, State[K] extends ReadonlyMap<string, infer V> ? V : never> {
    if (!this.copied.has(name)) {
      this.copied.add(name);
      (this.state as Record<string, unknown>)[name] = new Map(this.state[name] as ReadonlyMap<string, unknown>);
    }
    return this.state[name] as never;
  }

  want(id: string) {
    if (this.state.wanted.has(id)) return;
    this.state.wanted = new Set(this.state.wanted).add(id);
  }

  /** Puts a record unless a newer one is there. Answers whether it did. */
  put<K extends TableName>(name: K, id: string, value: In<K>, seq: number): boolean {
    const old = this.state[name].get(id);
    if (old && old.seq >= seq) return false;
    (this.map(name) as Map<string, Entry<In<K>>>).set(id, { value, seq });
    return true;
  }
}

/** Whether the member has something to read: a customer's message that nobody has answered, or a mark to come back. */
export function isUnread(state: State, id: string): boolean {
  const unread = state.unread.get(id)?.value;
  if (unread !== "new") return unread === "marked";
  const conversation = state.conversations.get(id)?.value;
  return conversation !== undefined && conversation.status !== "resolved" && (conversation.unreadCount > 0 || conversation.waitingSince !== null);
}
