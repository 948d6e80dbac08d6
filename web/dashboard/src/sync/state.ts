// What the dashboard knows about the workspace: records, each with the number
// of the event (or the position of the read) that it comes from. The state is
// never changed in place; reduce.ts and ingest.ts create the next one.
import type { Article, ArticleCategory, ArticleFigures, HelpCenter } from "../api/knowledge";
import type { ChatNumber } from "../api/numbers";
import type { CannedAnswer, Company, Contact, Conversation, Inbox, Label, LogEvent, Member, Message, MessagePreview, Product, Ref, Team, WorkspaceState } from "../api/types";

/** A record and the position of the log at which it was so. */
export interface Entry<T> {
  value: T;
  seq: number;
}
export type Table<T> = ReadonlyMap<string, Entry<T>>;

/** Which conversations a list shows. Absent: all. The id `none` means "without". */
export interface Filter {
  status?: string;
  assigneeId?: string;
  inboxId?: string;
  productId?: string;
  teamId?: string;
  /** One or several; see labelsOf. */
  label?: string;
  /** The label that they do not have. */
  notLabel?: string;
  priority?: string;
  contactId?: string;
  companyId?: string;
  /** `true`: only conversations marked as spam; `any`: these too; absent: only the others. */
  spam?: string;
  /** `handed_over`: only what the automated agent handed over. */
  agent?: string;
  /** `true`: only those that sleep until a time; `false`: only the others. */
  snoozed?: string;
  /** `true`: only those that have woken and were not answered since. */
  woke?: string;
  /** The earliest last activity, as a time. */
  activeAfter?: string;
  /** The time before which the last activity was. */
  activeBefore?: string;
  /** `waiting`: only those whose customer is waiting, the longest first. Absent: most recently active first. */
  order?: string;
}

/** The loaded part of a list of conversations, in the order of its filter. */
export interface ConversationList {
  filter: Filter;
  ids: readonly string[];
  /** The first page is loaded. */
  loaded: boolean;
  /** There are more after `cursor`. */
  more: boolean;
  cursor: string;
}

/** The loaded messages of a conversation, oldest first. */
export interface MessageLog {
  items: readonly Entry<Message>[];
  loaded: boolean;
  /** There are older ones after `cursor`. */
  more: boolean;
  cursor: string;
  /** It was loaded around a message, so its cursors belong to the list of messages. */
  around: boolean;
  /** There are newer ones after `laterCursor`, or after the last known one if that is "". */
  later: boolean;
  laterCursor: string;
}

/** Why a conversation is unread for the member; "" for one that was read. */
export type Unseen = "new" | "marked" | "";

export interface State {
  epoch: string;
  /** The newest event that is part of the state. */
  seq: number;
  /** The check of that event, by which the server recognizes it. */
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
  teams: Table<Team>;
  /** Whether articles are read as they change. */
  knows: boolean;
  /** Whether all articles are known. */
  knowsAll: boolean;
  /** Whether the categories and help centers are known. */
  knowsCenters: boolean;
  articles: Table<Article>;
  articleFigures: Table<ArticleFigures>;
  articleCategories: Table<ArticleCategory>;
  /** By product. */
  helpCenters: Table<HelpCenter>;
  contacts: Table<Contact>;
  companies: Table<Company>;
  conversations: Table<Conversation>;
  /** Contacts and conversations that were merged, by id, and what they lead to. */
  merged: ReadonlyMap<string, string>;
  /** Deleted conversations and contacts: an answer that was read earlier does not bring them back. */
  gone: ReadonlySet<string>;
  /** The conversations that left the member's view, with the number of the event from which on. */
  hidden: ReadonlyMap<string, number>;
  messages: ReadonlyMap<string, MessageLog>;
  /** The newest message of a conversation, for its row in a list; null for none. */
  previews: Table<MessagePreview | null>;
  /** The member's unread conversations: those with something new, and those marked as unread. */
  unread: Table<Unseen>;
  lists: ReadonlyMap<string, ConversationList>;
  /** Conversations that moved but are unknown here; the store reads them. */
  wanted: ReadonlySet<string>;
}

export type TableName =
  | "members"
  | "formerMembers"
  | "inboxes"
  | "products"
  | "labels"
  | "cannedAnswers"
  | "numbers"
  | "teams"
  | "articles"
  | "articleFigures"
  | "articleCategories"
  | "helpCenters"
  | "contacts"
  | "companies"
  | "conversations"
  | "previews"
  | "unread";

/** The records of a table. */
export type In<K extends TableName> = State[K] extends Table<infer T> ? T : never;

/** A position of the log: `<epoch>.<seq>.<check>`. The check is "" for old events, which have none. */
export interface Position {
  epoch: string;
  seq: number;
  check: string;
}

/** An event with its check, if that is known. */
export type CheckedEvent = LogEvent & { check?: string };

export function parsePosition(text: string): Position | null {
  const [, epoch, seq, check = ""] = /^([^.]+)\.(\d+)(?:\.([a-z0-9]+))?$/.exec(text) ?? [];
  return epoch && seq ? { epoch, seq: Number(seq), check } : null;
}

export function positionText({ epoch, seq, check }: Position): string {
  return check === "" ? `${epoch}.${seq}` : `${epoch}.${seq}.${check}`;
}

/** A server of the version before has none. */
function teamsOf({ teams }: Partial<WorkspaceState>): readonly Team[] {
  return teams ?? [];
}

/** The first state, from the server's answer at the start. */
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
    teams: byId(teamsOf(from)),
    knows: false,
    knowsAll: false,
    knowsCenters: false,
    articles: new Map(),
    articleFigures: new Map(),
    articleCategories: new Map(),
    helpCenters: new Map(),
    contacts: new Map(),
    companies: new Map(),
    conversations: new Map(),
    merged: new Map(),
    gone: new Set(),
    hidden: new Map(),
    messages: new Map(),
    previews: new Map(),
    unread: new Map(),
    lists: new Map(),
    wanted: new Set(),
  };
}

/**
 * A draft of the next state. Each map is copied only when it is first changed, so a batch of a thousand events copies
 * it once, and an unchanged map stays the same object for comparisons.
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

  /** Remembers that a record was deleted. */
  bury(id: string) {
    this.state.gone = new Set(this.state.gone).add(id);
  }

  /** Remembers that a conversation left the member's view. What was read before that does not bring it back. */
  hide(id: string, seq: number) {
    this.state.hidden = new Map(this.state.hidden).set(id, seq);
  }

  /** Stores a record unless a newer one is known or it was deleted, and returns whether it did. */
  put<K extends TableName>(name: K, id: string, value: In<K>, seq: number): boolean {
    if (this.state.gone.has(id) || (this.state.hidden.get(id) ?? -1) >= seq) return false;
    const old = this.state[name].get(id);
    if (old && old.seq >= seq) return false;
    (this.map(name) as Map<string, Entry<In<K>>>).set(id, { value, seq });
    return true;
  }
}

/**
 * Whether a conversation is unread for the member: it has an unanswered message of the customer, or is marked as
 * unread.
 */
export function isUnread(state: State, id: string): boolean {
  const unread = state.unread.get(id)?.value;
  if (unread !== "new") return unread === "marked";
  const conversation = state.conversations.get(id)?.value;
  return conversation !== undefined && conversation.status !== "resolved" && !conversation.spam && (conversation.unreadCount > 0 || conversation.waitingSince !== null);
}
