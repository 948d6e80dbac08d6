// The store: the state, kept current by the connection, and the methods that
// read and change it. One per signed-in member and page.
import { backoff } from "../../../shared/retry";
import { api, ApiError } from "../api/client";
import type { CompanyRecord, Contact, ContactDuplicate, Counts, List, ListedConversation, LogEvent, Message, Page, Thread, WidgetSettings, WorkspaceState } from "../api/types";
import { openOutbox, wakeOnReturn } from "../outbox/browser";
import type { Outbox } from "../outbox/outbox";
import { readAround, readBeside } from "./around";
import { createCell } from "./cell";
import { DraftMarks } from "./draftmarks";
import { forget } from "./forget";
import { ingestCompany, ingestContact, ingestConversation, ingestPage, ingestThread, openList, openMessages } from "./ingest";
import { openLine, pauses, type LineState, type Signal, type Told } from "./line";
import { filterKey, labelsOf } from "./lists";
import { readMerged } from "./merged";
import { insertMessage } from "./messages";
import { Notices } from "./notices";
import { Presences } from "./presences";
import { ReadMarks } from "./readmarks";
import { reduce } from "./reduce";
import { SavedViews } from "./savedviews";
import { Shelf } from "./shelf";
import { Draft, initialState, parsePosition, positionText, type CheckedEvent, type Filter, type State } from "./state";
import { Teller } from "./teller";

/** The progress of a read; absent if it was not requested or has succeeded. */
export type Reading = "loading" | { error: unknown };

const pageSize = 50;
/** The size of later pages: a reader who continues scrolling wants many. */
const nextPageSize = 100;
export class Store {
  readonly state;
  readonly line = createCell<LineState>("waiting");
  readonly counts = createCell<Counts | null>(null);
  /** The reads that are in progress or have failed, by key: "list:…", "messages:…", "contact:…". */
  readonly readings = createCell<ReadonlyMap<string, Reading>>(new Map());
  readonly presences = new Presences();
  /** How often the state was read anew: events before that may be missing. */
  readonly renewals = createCell(0);
  /** The member's unsent messages. */
  readonly outbox: Outbox;
  /**
   * The name of the connection and of the lock that each tab holds or waits for; tabs with the same name share one
   * connection.
   */
  readonly lineName: string;

  /** Possible duplicates of contacts; null until a component asks. */
  readonly guesses = createCell<readonly ContactDuplicate[] | null>(null);
  /** The greetings of the chats on websites, by inbox. */
  readonly greetings = createCell<ReadonlyMap<string, string>>(new Map());
  private guessesTurn = 0;
  readonly here = new Teller();
  readonly reads: ReadMarks;
  readonly drafts = new DraftMarks();
  readonly views = new SavedViews();
  readonly notices = new Notices();

  private readonly listeners = new Set<(event: LogEvent) => void>();
  private readonly signalListeners = new Set<(name: Signal, news: unknown) => void>();
  private waiting: CheckedEvent[] = [];
  private flushing: ReturnType<typeof setTimeout> | undefined;
  private countsTimer: ReturnType<typeof setTimeout> | undefined;
  private sweeper: ReturnType<typeof setInterval> | undefined;
  private catching = false;
  private lineNow: LineState = "waiting";
  private reloading: Promise<void> | null = null;
  /** The last reload failed: the displayed state is old. */
  private behind = false;
  /** Events arrived during the reload. */
  private missed = false;
  private ended = false;
  private tidying: ReturnType<typeof setInterval> | undefined;
  private readonly shelf = new Shelf();
  /** The positions of the log at which the unanswered reads started. */
  private begun: readonly number[] = [];
  private closeLine = () => {};

  constructor(first: WorkspaceState) {
    this.state = createCell<State>(initialState(first));
    this.lineName = `parley.line.${first.workspace.id}.${first.member.id}`;
    this.outbox = openOutbox({ workspaceId: first.workspace.id, meId: first.member.id, onSent: (id, message) => this.posted(id, message) });
    this.onEvent((event) => readMerged(this, event));
    this.reads = new ReadMarks({ state: this.state, seqOf: (position) => this.seqOf(position) });
  }

  /** Opens the connection and keeps the counts current. The returned function stops both. */
  start(): () => void {
    this.closeLine = openLine({
      name: this.lineName,
      position: () => positionText(this.state.get()),
      onTold: (told) => this.told(told),
    });
    this.loadCounts();
    void this.reads.load();
    void this.drafts.load();
    this.sweeper = setInterval(() => this.presences.sweep(Date.now()), 5000);
    this.tidying = setInterval(() => this.tidy(), 60_000);
    const stops = [this.views.start(this), this.notices.start(this), this.outbox.start(), wakeOnReturn(this.outbox)];
    return () => {
      this.ended = true;
      clearInterval(this.tidying);
      this.closeLine();
      for (const stop of stops) stop();
      clearInterval(this.sweeper);
      clearTimeout(this.countsTimer);
      clearTimeout(this.flushing);
    };
  }

  /** Calls the listener with every event after it was applied. Returns the function that stops it. */
  onEvent(listener: (event: LogEvent) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Calls the listener with every signal that concerns single parts of the page. Returns the function that stops it. */
  onSignal(listener: (name: Signal, news: unknown) => void): () => void {
    this.signalListeners.add(listener);
    return () => this.signalListeners.delete(listener);
  }

  // The connection.

  private told(told: Told) {
    switch (told.kind) {
      case "line":
        // Signals of other tabs while the connection was lost are missing.
        if (told.state === "live" && this.lineNow !== "live") {
          void this.reads.load();
          void this.drafts.load();
          void this.views.load();
        }
        this.lineNow = told.state;
        return this.showLine();
      case "presence":
        return this.presences.saw(told.presence, this.state.get().meId);
      case "signal":
        for (const listener of [...this.signalListeners]) listener(told.name, told.news);
        return;
      case "reading":
        this.reads.set(told.reading.conversationId, told.reading.unread ? "marked" : "");
        if (!told.reading.unread) this.notices.sawConversation(told.reading.conversationId);
        return this.loadCountsSoon();
      case "draft":
        return this.drafts.saw(told.draft, this.state.get().meId);
      case "reset":
        return void this.reload();
      case "event":
        if (this.reloading) return void (this.missed = true);
        if (told.epoch !== this.state.get().epoch) return void this.reload();
        this.waiting.push(told.event);
        // A burst becomes one change of the state and one rendering.
        this.flushing ??= setTimeout(() => this.flush(), 16);
    }
  }

  private flush() {
    this.flushing = undefined;
    const { seq } = this.state.get();
    const events = this.waiting.filter((event) => event.seq > seq).sort((a, b) => a.seq - b.seq);
    const first = events[0];
    if (first && first.seq !== seq + 1) return void this.catchUp();
    this.waiting = [];
    this.applyEvents(events);
  }

  private applyEvents(events: CheckedEvent[]) {
    let { seq } = this.state.get();
    this.state.update((state) => reduce(state, events));
    for (const event of events) {
      // Two tabs may deliver the same event while one takes over the connection from the other.
      if (event.seq <= seq) continue;
      seq = event.seq;
      // The sender of a message has stopped typing it.
      if (event.type === "message.created" && event.data.messageType === "incoming") this.presences.setTyping(event.conversationId, false);
      if (concernsGuesses(event, this.guesses.get())) this.dropGuesses();
      if (event.type === "message.created") this.outbox.saw(event.data);
      if (event.type === "member.removed") this.drafts.without(event.data.id);
      if (event.type === "conversation.deleted") this.drafts.forget(event.data.id);
      this.views.saw(event);
      for (const listener of [...this.listeners]) listener(event);
    }
    if (events.some((event) => event.conversationId !== null)) this.loadCountsSoon();
    this.readWanted();
  }

  /** Another tab's connection is ahead of this tab: reads the events in between. */
  private async catchUp() {
    if (this.catching) return;
    this.catching = true;
    try {
      for (let more = true; more; ) {
        const page = await api.get<Page<CheckedEvent> & { reset: boolean }>("/v1/public/events", { after: positionText(this.state.get()), limit: 200 });
        if (page.reset) return await this.reload();
        const last = page.data.at(-1);
        if (last) last.check = parsePosition(page.next_cursor)?.check;
        this.applyEvents(page.data);
        more = page.has_more;
      }
    } catch {
      // Retried with the next event or the next connection.
    } finally {
      this.catching = false;
    }
    // Pages may lack events that arrived since; a gap is read once more.
    if (this.waiting.length > 0) this.flushing ??= setTimeout(() => this.flush(), 250);
  }

  private showLine() {
    const state = this.behind && this.lineNow === "live" ? "waiting" : this.lineNow;
    if (state === "live" && this.line.get() !== "live") this.outbox.wake();
    this.line.set(state);
  }

  /**
   * Reloads the state from the server, because its history is not a continuation of ours. However many events request
   * it, it happens once, and is retried until the server answers.
   */
  reload(): Promise<void> {
    this.reloading ??= this.beginAnew().finally(() => {
      this.reloading = null;
      // Some of them may be later than the state that was read.
      if (this.missed) void this.catchUp();
      this.missed = false;
    });
    return this.reloading;
  }

  private async beginAnew() {
    for (let failures = 0; !this.ended; failures++) {
      try {
        return this.begin(initialState(await api.get<WorkspaceState>("/v1/dashboard/state")));
      } catch (error) {
        if (error instanceof ApiError && error.status === 401) return; // the page is about to close
        this.behind = true;
        this.showLine();
        await new Promise((resolve) => setTimeout(resolve, backoff(pauses, failures)));
      }
    }
  }

  /** Adopts a fresh state and reads for it what is on display; the rest is read when it is needed. */
  private begin(fresh: State) {
    const old = this.state.get();
    const lists = [...old.lists].flatMap(([key, { filter }]) => (this.shelf.isHeld(`list:${key}`) ? [filter] : []));
    const threads = [...old.messages.keys()].filter((id) => this.shelf.isHeld(`messages:${id}`));
    this.waiting = [];
    this.shelf.clear();
    this.dropGuesses();
    this.readings.set(new Map());
    let next: State = fresh;
    for (const filter of lists) next = openList(next, filter);
    for (const id of threads) next = openMessages(next, id);
    this.behind = false;
    this.showLine();
    this.state.set(next);
    this.renewals.update((count) => count + 1);
    for (const filter of lists) void this.loadList(filter);
    for (const id of threads) void this.loadMessages(id);
    this.loadCounts();
    void this.reads.load();
    void this.drafts.load();
  }

  // What is kept.

  /**
   * Keeps a part of the state ("list:…", "messages:…", "contact:…", "company:…") while it is on display, until the
   * returned function is called.
   */
  hold(key: string): () => void {
    const release = this.shelf.hold(key);
    return () => {
      release();
      if (this.shelf.full) this.tidy();
    };
  }

  /** Drops what has not been on display for a while. */
  tidy() {
    const kept = this.shelf.kept();
    this.state.update((state) => forget(state, kept, Math.min(...this.begun)));
    this.readings.update((old) => {
      const gone = [...old].filter(([key, reading]) => reading !== "loading" && !kept.has(key));
      return gone.length === 0 ? old : new Map([...old].filter(([key]) => !gone.some(([other]) => other === key)));
    });
  }

  /** A message of the outbox has arrived; null if only a read can tell which. */
  private posted(conversationId: string, message: Message | null) {
    if (!message) return void this.loadMessages(conversationId);
    const draft = new Draft(this.state.get());
    // With seq 0, so that every event about it counts as newer.
    insertMessage(draft, message, 0);
    this.state.set(draft.state);
  }

  // Reading.

  /** Runs a read, one at a time for each key, and records its progress. */
  async reading(key: string, read: () => Promise<void>): Promise<void> {
    if (this.readings.get().get(key) === "loading") return;
    this.note(key, "loading");
    try {
      await this.during(read);
      this.note(key, null);
    } catch (error) {
      this.note(key, { error });
    }
  }

  private async during<T>(read: () => Promise<T>): Promise<T> {
    const { seq } = this.state.get();
    this.begun = [...this.begun, seq];
    try {
      return await read();
    } finally {
      this.begun = this.begun.toSpliced(this.begun.indexOf(seq), 1);
    }
  }

  private note(key: string, reading: Reading | null) {
    this.readings.update((old) => {
      const next = new Map(old);
      if (reading) next.set(key, reading);
      else next.delete(key);
      return next;
    });
  }

  /** The position of an answer as a number; null if it belongs to another history. */
  seqOf(position: string): number | null {
    const read = parsePosition(position);
    if (!read) return this.state.get().seq;
    return read.epoch === this.state.get().epoch ? read.seq : null;
  }

  /** Reads the first page of a list. */
  loadList(filter: Filter): Promise<void> {
    this.state.update((state) => openList(state, filter));
    return this.readPage(filter, "");
  }

  /** Reads the next page of a list, if there is one. */
  async loadMore(filter: Filter): Promise<void> {
    const list = this.state.get().lists.get(filterKey(filter));
    if (list?.loaded && list.more) await this.readPage(filter, list.cursor);
  }

  private readPage(filter: Filter, cursor: string): Promise<void> {
    return this.reading(`list:${filterKey(filter)}`, async () => {
      const { data, position } = await api.read<Page<ListedConversation>>("/v1/public/conversations", {
        ...filter,
        label: labelsOf(filter),
        include: "lastMessage",
        cursor,
        limit: cursor === "" ? pageSize : nextPageSize,
      });
      const seq = this.seqOf(position);
      if (seq !== null) this.state.update((state) => ingestPage(state, filter, data, seq, cursor === ""));
    });
  }

  /** Reads a conversation with its newest messages. */
  loadMessages(id: string): Promise<void> {
    this.state.update((state) => openMessages(state, id));
    return this.readThread(id, "");
  }

  /** Reads the messages before the known ones. */
  async loadOlder(id: string): Promise<void> {
    const log = this.state.get().messages.get(id);
    if (!log?.loaded || !log.more) return;
    await (log.around ? readBeside(this, id, "older", { cursor: log.cursor }) : this.readThread(id, log.cursor));
  }

  /** Reads the messages after the known ones, in a log around a message. */
  async loadLater(id: string): Promise<void> {
    const log = this.state.get().messages.get(id);
    const last = log?.items.at(-1)?.value.id;
    if (log?.later && last) await readBeside(this, id, "later", log.laterCursor ? { cursor: log.laterCursor } : { from: last });
  }

  /** Reads a conversation's messages around one of them, or the newest ones if it does not exist. */
  async loadAround(id: string, messageId: string): Promise<void> {
    this.state.update((state) => openMessages(state, id));
    if (!(await readAround(this, id, messageId))) await this.loadMessages(id);
  }

  private readThread(id: string, cursor: string): Promise<void> {
    return this.reading(`messages:${id}`, async () => {
      const { data, position } = await api.read<Thread>(`/v1/public/conversations/${id}`, { messages_limit: pageSize, messages_cursor: cursor });
      const seq = this.seqOf(position);
      if (seq !== null) this.state.update((state) => ingestThread(state, data, seq, cursor === "", id));
    });
  }

  /** Reads a conversation with its newest message only. */
  async loadConversation(id: string): Promise<void> {
    await this.during(async () => {
      const { data, position } = await api.read<Thread>(`/v1/public/conversations/${id}`, { messages_limit: 1 });
      const seq = this.seqOf(position);
      if (seq !== null) this.state.update((state) => ingestConversation(state, data, seq));
    });
  }

  loadContact(id: string): Promise<void> {
    return this.reading(`contact:${id}`, async () => {
      const { data, position } = await api.read<Contact>(`/v1/public/contacts/${id}`);
      const seq = this.seqOf(position);
      if (seq !== null) this.state.update((state) => ingestContact(state, id, data, seq));
    });
  }

  loadCompany(id: string): Promise<void> {
    return this.reading(`company:${id}`, async () => {
      const { data, position } = await api.read<CompanyRecord>(`/v1/public/companies/${id}`);
      const seq = this.seqOf(position);
      const { contactCount: _, ...company } = data;
      if (seq !== null) this.state.update((state) => ingestCompany(state, company, seq));
    });
  }

  /**
   * Reads conversations that moved but are unknown here: a few one by one; if there are many, the lists are reloaded.
   */
  private readWanted() {
    const { wanted, lists } = this.state.get();
    if (wanted.size === 0) return;
    this.state.update((state) => ({ ...state, wanted: new Set<string>() }));
    if (wanted.size > 20) {
      for (const list of lists.values()) void this.readPage(list.filter, "");
      return;
    }
    for (const id of wanted) {
      this.loadConversation(id).catch((error: unknown) => {
        // Retried with its next event; the connection reports when the server is away.
        if (!(error instanceof ApiError)) throw error;
      });
    }
  }

  /**
   * Reads all possible duplicates, again if an event changed them in the meantime. After a failure they stay unknown.
   */
  loadGuesses(): Promise<void> {
    return this.reading("guesses", async () => {
      let turn: number;
      let found: readonly ContactDuplicate[];
      do {
        turn = this.guessesTurn;
        found = (await api.get<List<ContactDuplicate>>("/v1/dashboard/contact-duplicates")).data;
      } while (turn !== this.guessesTurn);
      this.guesses.set(found);
    });
  }

  loadGreeting(inboxId: string): Promise<void> {
    return this.reading(`greeting:${inboxId}`, async () => {
      const { greeting } = await api.get<WidgetSettings>(`/v1/dashboard/inboxes/${inboxId}/widget`);
      this.greetings.update((old) => new Map(old).set(inboxId, greeting));
    });
  }

  private dropGuesses() {
    this.guessesTurn++;
    this.guesses.set(null);
  }

  private loadCounts() {
    api.get<Counts>("/v1/dashboard/counts").then(
      (counts) => this.counts.set(counts),
      () => undefined, // the old counts stay, and the next change retries
    );
  }

  /** Reads the counts in a second, once for all calls until then. */
  loadCountsSoon() {
    if (this.countsTimer) return;
    this.countsTimer = setTimeout(() => {
      this.countsTimer = undefined;
      this.loadCounts();
    }, 1000);
  }
}

/** Whether an event may change the known duplicates: one was added or removed, or a displayed name changed. */
function concernsGuesses(event: LogEvent, guesses: readonly ContactDuplicate[] | null): boolean {
  if (event.type.startsWith("contact_duplicate.")) return true;
  if (event.type !== "contact.updated" || !guesses) return false;
  const { id } = event.data;
  return guesses.some(({ contact, other }) => contact.id === id || other.id === id);
}
