// The chat: what happens when the customer, the page around the frame, or the
// server says something. The views draw its state and call its methods.
import { backoff, pause } from "../../../shared/retry";
import type { Frame } from "../../../shared/sse";
import type { ToFrame, Welcome } from "../protocol";
import { ApiError, ask, faultText, pauses, upload } from "./api";
import { inkOn } from "./color";
import { explain } from "./diagnose";
import type { Host } from "./host";
import { drawer } from "./keep";
import { openLine } from "./line";
import { Session } from "./session";
import { ping } from "./sound";
import { emptyLog, firstState, unreadOf, withConversation, withMessage, withPage, type Pending, type State, type View } from "./state";
import { tabOf } from "./tab";
import type { Attachment, Config, Conversation, Message, Page, Thread, Typing } from "./types";

/** A typing signal that is not renewed is over. */
const typingLife = 15_000;

export class Chat {
  state: State = firstState;
  private readonly listeners = new Set<() => void>();
  private readonly session: Session;
  private readonly inboxId: string;
  /** What is kept of the inbox in this tab, for the page around the frame alone. */
  private tab;
  private readonly soundKept = drawer<boolean>("local", "parley:sound");
  private readonly ended = new AbortController();
  private readonly typingTimers = new Map<string, ReturnType<typeof setTimeout>>();
  private host: Host = { send: () => undefined };
  private closeLine: () => void = () => undefined;
  /** What the page named the customer by; "" for nobody. */
  private identity = "";
  /** Changes of who the customer is happen one after the other. */
  private changing: Promise<void> = Promise.resolve();
  /** The session is being exchanged: what fails for the old one's sake waits for the new one. */
  private renewing = false;
  private sending = false;
  private reading = false;
  private typedAt = 0;
  private told = -1;

  constructor(inboxId: string) {
    this.inboxId = inboxId;
    this.session = new Session(inboxId);
    this.tab = tabOf(inboxId, "");
    this.state = { ...firstState, sound: this.soundKept.get() ?? false };
    document.addEventListener("visibilitychange", () => void this.markRead());
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private set(change: Partial<State>) {
    this.state = { ...this.state, ...change };
    const unread = unreadOf(this.state);
    if (unread !== this.told) this.host.send({ type: "unread", count: (this.told = unread) });
    for (const listener of this.listeners) listener();
  }

  // ---- Beginning, and the page around the frame ----

  /** Reads how the widget looks; null when there is no such inbox. It does not give up while the server is away. */
  async configure(): Promise<Config | null> {
    for (let failures = 0; ; failures++) {
      try {
        const config = await ask<Config>(`inboxes/${encodeURIComponent(this.inboxId)}`, "");
        this.set({ config });
        return config;
      } catch (error) {
        if (error instanceof ApiError && !error.passing) return null;
        await pause(backoff(pauses, failures), this.ended.signal);
      }
    }
  }

  /** Shows a look that nobody has saved yet; nothing is sent anywhere. */
  preview(config: Config) {
    this.set({ config, phase: "ready", open: true, loaded: true, view: { name: "thread", id: null }, pending: [] });
  }

  /** `page` is the origin of the page around the frame, as the browser tells it; "" where there is none. */
  async start(host: Host, welcome: Pick<Welcome, "open" | "identity">, page = "") {
    this.host = host;
    this.session.in(page);
    this.tab = tabOf(this.inboxId, page);
    this.told = -1;
    this.set({ open: welcome.open, view: this.tab.place.get() ?? firstState.view, pending: this.tab.outbox.get() ?? [] });
    const config = this.state.config ?? (await this.configure());
    if (!config) {
      this.set({ phase: "closed" });
      return host.send({ type: "problem", text: `there is no web inbox ${this.inboxId}; data-inbox of the tag is not right.` });
    }
    if (welcome.identity !== null) await this.identify(welcome.identity);
    else await this.asVisitor();
  }

  private async asVisitor() {
    if (this.state.config?.identity === "required") {
      this.set({ phase: "closed" });
      return this.look();
    }
    await this.persist(() => this.session.resume()).catch(() => undefined);
    this.enter();
  }

  /** The page names the customer. */
  identify(identity: string): Promise<void> {
    this.identity = identity;
    return this.change(() => this.name(identity));
  }

  private async name(identity: string) {
    if (identity !== this.identity) return; // the page named another one since
    if (this.state.config?.identity === "off") {
      this.problem("the identity was ignored: this inbox takes none (Settings, Inboxes, Widget).");
      if (this.state.phase !== "ready") await this.asVisitor();
      return;
    }
    const { token } = this.session;
    try {
      await this.persist(() => (identity === this.identity ? this.session.identify(identity) : Promise.resolve()));
      if (identity !== this.identity) return;
      this.host.send({ type: "identity", state: "accepted" });
      // Each page of a shop names its customer; mostly that changes nothing.
      if (this.session.token !== token || this.state.phase !== "ready") this.enter();
    } catch (error) {
      const status = error instanceof ApiError ? error.status : 0;
      this.problem(`the identity was not accepted. ${status === 401 ? explain(identity, Date.now()) : `The server said: ${error instanceof Error ? error.message : String(error)}`}`);
      this.host.send({ type: "identity", state: "refused" });
      if (this.identity === identity) this.identity = "";
      // Whoever was there before is not whom the page speaks of.
      if (this.session.customer?.identified) {
        this.leave();
        this.session.lost();
      }
      if (this.state.phase !== "ready" || this.session.token === "") await this.asVisitor();
    }
  }

  private change(work: () => Promise<void>): Promise<void> {
    this.changing = this.changing.then(async () => {
      this.renewing = true;
      try {
        await work();
      } finally {
        this.renewing = false;
        void this.pump();
      }
    });
    return this.changing;
  }

  heard(message: ToFrame) {
    if (message.type === "identify") void this.identify(message.token);
    else if (message.type === "logout") void this.logout();
    else {
      this.set({ open: message.open });
      void this.markRead();
    }
  }

  logout(): Promise<void> {
    this.identity = "";
    this.leave();
    this.tab.drafts.set(null);
    return this.change(async () => {
      await this.session.end();
      await this.asVisitor();
    });
  }

  close() {
    this.host.send({ type: "close" });
  }

  private problem(text: string) {
    this.host.send({ type: "problem", text });
  }

  /** Tells the tag how its button looks. */
  private look() {
    const { config, phase } = this.state;
    if (config) this.host.send({ type: "look", title: config.title || config.name, color: config.color, ink: inkOn(config.color), position: config.position, shown: phase === "ready" });
  }

  /** Tries again while the server is away or busy. */
  private async persist<T>(work: () => Promise<T>): Promise<T> {
    for (let failures = 0; ; failures++) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof ApiError) || !error.passing) throw error;
        await pause(Math.max(error.retryAfter, backoff(pauses, failures)), this.ended.signal);
      }
    }
  }

  // ---- The session ----

  /** Begins with the session that there is now, or with none. */
  private enter() {
    this.closeLine();
    const { token, customer } = this.session;
    const before = this.tab.person.get();
    if (before?.identified && before.id !== customer?.id) {
      // What the one has not sent is none of the other's. A visitor who is named stays who it was.
      this.leave();
      this.tab.drafts.set(null);
    }
    this.tab.person.set(customer && { id: customer.id, identified: customer.identified });
    const same = customer !== null && customer.id === this.state.customer?.id;
    this.set({ phase: "ready", customer, threads: {}, loaded: token === "", ...(!same && { conversations: [] }), ...(token === "" && { line: "idle" as const, view: firstState.view }) });
    this.look();
    if (token !== "") this.listen();
    void this.pump();
  }

  private leave() {
    this.closeLine();
    this.tab.outbox.set(null);
    this.tab.place.set(null);
    const { config, open, sound } = this.state;
    this.set({ ...firstState, config, open, sound });
  }

  private listen() {
    this.closeLine();
    this.closeLine = openLine({
      name: `parley:${this.inboxId}`,
      token: this.session.token,
      onFrame: (frame) => this.frame(frame),
      onState: (line) => {
        this.set({ line });
        // Without the stream the conversations are there all the same.
        if (line !== "live" && !this.state.loaded) void this.refresh();
      },
      onFresh: () => void this.refresh(),
      onRefused: () => this.lost(),
    });
  }

  /** The session has ended: an identified customer is named again by the same identity, once. */
  private lost() {
    if (this.renewing) return; // it ends because another one begins
    const { identity } = this;
    const identified = this.session.customer?.identified ?? false;
    this.closeLine();
    this.session.lost();
    if (!identified) {
      // Its conversations are out of reach, so what waits begins a new one.
      this.keepPending(this.state.pending.map((one) => ({ ...one, conversationId: null })));
      return this.enter();
    }
    void this.change(async () => {
      try {
        if (identity === "") return this.expired();
        await this.persist(() => this.session.identify(identity));
        this.enter();
      } catch {
        this.expired();
      }
    });
  }

  private expired() {
    this.identity = "";
    this.problem('the session has ended and the identity is not valid any more; call Parley("identify", …) with a new one.');
    this.host.send({ type: "identity", state: "expired" });
    this.leave();
    void this.asVisitor();
  }

  /** Asks with the session. An answer to a session that is not there any more is none: it is about somebody else. */
  private async ask<T>(path: string, options: Parameters<typeof ask>[2] = {}): Promise<T> {
    const { token } = this.session;
    try {
      const answer = await ask<T>(path, token, options);
      if (token === this.session.token) return answer;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401 || token !== this.session.token) throw error;
      this.lost();
    }
    throw new ApiError(401, "The session has changed.");
  }

  // ---- What the server says ----

  private frame({ event, data }: Frame) {
    const told = JSON.parse(data) as { data?: unknown };
    const body = told.data ?? told;
    if (event === "typing") return this.setTyping(body as Typing);
    if (event === "conversation.updated") return this.set(withConversation(this.state, body as Conversation));
    if (event === "message.created") this.arrived(body as Message);
    else if (event === "message.updated") this.set(withMessage(this.state, body as Message, false));
  }

  private arrived(message: Message) {
    const id = message.conversationId;
    if (message.from === "customer") {
      // Whichever of the stream and the answer comes first shows it.
      const waiting = this.state.pending.find((one) => one.fault === "" && !one.arrived && one.content === message.content && (one.conversationId ?? id) === id);
      if (waiting) this.set({ pending: this.state.pending.map((one) => (one === waiting ? { ...one, arrived: true } : one)) });
    } else if (message.from === "team") {
      this.setTyping({ conversationId: id, name: "", typing: false });
      if (this.state.sound && !(this.state.open && document.visibilityState === "visible")) ping();
    }
    const known = this.state.conversations.some((conversation) => conversation.id === id);
    this.set(withMessage(this.state, message, true));
    if (known) void this.markRead();
    else void this.refresh();
  }

  private setTyping({ conversationId, name, typing }: Typing) {
    clearTimeout(this.typingTimers.get(conversationId));
    const { [conversationId]: _, ...others } = this.state.typing;
    this.set({ typing: typing ? { ...others, [conversationId]: name } : others });
    if (typing)
      this.typingTimers.set(
        conversationId,
        setTimeout(() => this.setTyping({ conversationId, name, typing: false }), typingLife),
      );
  }

  /** Reads the conversations, and the one that is open. */
  async refresh() {
    if (this.session.token === "") return;
    const { view } = this.state;
    try {
      const page = await this.ask<Page<Conversation>>("conversations");
      let next: View = this.state.view;
      if (!this.state.loaded && view.name === "thread" && view.id === null && page.data.length > 0 && this.state.pending.length === 0 && this.draft(null) === "") next = { name: "home" };
      this.set({ conversations: page.data, moreConversations: page.next_cursor, loaded: true, view: next });
      if (next.name === "thread" && next.id !== null) await this.loadThread(next.id);
    } catch {
      return; // the line tries again, and refreshes with it
    }
  }

  async loadMoreConversations() {
    const page = await this.ask<Page<Conversation>>(`conversations?cursor=${encodeURIComponent(this.state.moreConversations)}`);
    const known = new Set(this.state.conversations.map(({ id }) => id));
    this.set({ conversations: [...this.state.conversations, ...page.data.filter(({ id }) => !known.has(id))], moreConversations: page.next_cursor });
  }

  /** Reads the newest messages of a conversation, or those before the oldest here. */
  async loadThread(id: string, older = false) {
    const log = this.state.threads[id] ?? emptyLog;
    const put = (to: typeof log) => this.set({ threads: { ...this.state.threads, [id]: to } });
    put({ ...log, fault: "" });
    try {
      const cursor = older ? `?messages_cursor=${encodeURIComponent(log.older)}` : "";
      const { messages, ...conversation } = await this.ask<Thread>(`conversations/${id}${cursor}`);
      this.set(withConversation(this.state, conversation));
      put(withPage(this.state.threads[id] ?? emptyLog, messages, !older));
      void this.markRead();
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return; // another session begins
      if (error instanceof ApiError && error.status === 404) return this.show({ name: "home" });
      put({ ...(this.state.threads[id] ?? emptyLog), fault: faultText(error) });
    }
  }

  // ---- What the customer does ----

  show(view: View) {
    this.set({ view });
    this.tab.place.set(view);
    if (view.name === "thread" && view.id !== null) void this.loadThread(view.id);
  }

  setSound(sound: boolean) {
    this.soundKept.set(sound);
    this.set({ sound });
    if (sound) ping();
  }

  draft(id: string | null): string {
    return this.tab.drafts.get()?.[id ?? "new"] ?? "";
  }

  keepDraft(id: string | null, text: string) {
    this.tab.drafts.set({ ...this.tab.drafts.get(), [id ?? "new"]: text });
    if (id === null || this.session.token === "" || this.state.config === null) return;
    const now = Date.now();
    const typing = text !== "";
    if (typing && now - this.typedAt < 4000) return;
    if (!typing && this.typedAt === 0) return;
    this.typedAt = typing ? now : 0;
    this.ask(`conversations/${id}/typing`, { method: "POST", body: { typing } }).catch(() => undefined); // only a hint
  }

  /** Puts a message on its way; it is sent as soon as that is possible, once. */
  send(conversationId: string | null, content: string, attachments: readonly Attachment[]) {
    this.typedAt = 0;
    this.keepPending([...this.state.pending, { key: (crypto as Partial<Crypto>).randomUUID?.() ?? randomKey(), conversationId, content, attachments, fault: "" }]);
    void this.pump();
  }

  retry(key: string) {
    this.keepPending(this.state.pending.map((one) => (one.key === key ? { ...one, fault: "" } : one)));
    void this.pump();
  }

  discard(key: string) {
    this.keepPending(this.state.pending.filter((one) => one.key !== key));
  }

  async upload(file: File, signal: AbortSignal, onProgress: (share: number) => void): Promise<Attachment> {
    await this.begin();
    return upload<Attachment>(file, this.session.token, signal, onProgress);
  }

  /** Makes the visitor's session with the first thing that needs one. */
  private async begin() {
    if (this.session.token !== "") return;
    if (this.renewing) throw new ApiError(0, "The connection is being made; try again.");
    await this.session.ensure();
    this.set({ customer: this.session.customer });
    this.listen();
  }

  private keepPending(pending: readonly Pending[]) {
    this.set({ pending });
    this.tab.outbox.set(pending);
  }

  /** Sends what waits, one after the other, so that the order stays. */
  private async pump() {
    if (this.sending || this.state.phase !== "ready") return;
    this.sending = true;
    try {
      for (let failures = 0; ; ) {
        const next = this.state.pending.find((one) => one.fault === "");
        // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- it changes while this waits
        if (!next || this.renewing || this.state.phase !== "ready") return;
        try {
          await this.begin();
          await this.post(next);
          failures = 0;
        } catch (error) {
          if (error instanceof ApiError && error.status === 401 && failures++ < 3) continue; // goes on with the next session
          if (!(error instanceof ApiError) || !error.passing) {
            this.keepPending(this.state.pending.map((one) => (one.key === next.key ? { ...one, fault: faultText(error) } : one)));
            continue;
          }
          if (error.status === 0) this.set({ line: navigator.onLine ? "waiting" : "offline" });
          await pause(Math.max(error.retryAfter, backoff(pauses, failures++)), this.ended.signal);
        }
      }
    } finally {
      this.sending = false;
    }
  }

  private async post({ key, conversationId, content, attachments }: Pending) {
    const body = { content, ...(attachments.length > 0 && { attachmentIds: attachments.map(({ id }) => id) }) };
    if (conversationId !== null) {
      const message = await this.ask<Message>(`conversations/${conversationId}/messages`, { method: "POST", body, key });
      this.set(withMessage(this.state, message, true));
      return this.keepPending(this.state.pending.filter((one) => one.key !== key));
    }
    const { conversation, message } = await this.ask<{ conversation: Conversation; message: Message }>("conversations", { method: "POST", body, key });
    const id = conversation.id;
    const threads = { ...this.state.threads, [id]: withPage(this.state.threads[id] ?? emptyLog, { data: [message], has_more: false, next_cursor: "" }, true) };
    this.set({ ...withConversation(this.state, conversation), threads });
    // What was written meanwhile belongs to the same conversation.
    this.keepPending(this.state.pending.filter((one) => one.key !== key).map((one) => (one.conversationId === null ? { ...one, conversationId: id } : one)));
    this.keepDraft(id, this.draft(null));
    this.tab.drafts.set({ ...this.tab.drafts.get(), new: "" });
    const { view } = this.state;
    if (view.name === "thread" && view.id === null) this.show({ name: "thread", id });
  }

  /** Tells that the customer has seen what is open and looked at. */
  private async markRead() {
    const { view, open } = this.state;
    if (this.reading || !open || document.visibilityState !== "visible" || view.name !== "thread" || this.unreadIn(view.id) === 0) return;
    this.reading = true;
    try {
      const conversation = await this.ask<Conversation>(`conversations/${view.id}/read`, { method: "POST" });
      this.set(withConversation(this.state, conversation));
    } catch {
      return; // with the next message or the next look
    } finally {
      this.reading = false;
    }
    // What came meanwhile is seen too.
    if (this.unreadIn(view.id) > 0) void this.markRead();
  }

  private unreadIn(id: string | null): number {
    return this.state.conversations.find((conversation) => conversation.id === id)?.unreadCount ?? 0;
  }
}

/** For pages without TLS, where browsers have no randomUUID. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
