// The chat: creates its parts, starts, and handles messages from the
// surrounding page. The views draw its state and call its parts.
import { backoff, pause } from "../../../shared/retry";
import type { ToFrame, Welcome } from "../protocol";
import { ApiError, ask, pauses } from "./api";
import { Asking } from "./asking";
import { Context } from "./context";
import { Conversations } from "./conversations";
import { Customers } from "./customers";
import { Drafts } from "./drafts";
import type { Host } from "./host";
import { spoken, speak, tongueOf, wordsOf } from "./language";
import { drawer } from "./keep";
import { Library } from "./library";
import { Live } from "./live";
import { Outbox } from "./outbox";
import { ping } from "./sound";
import { firstState, type State } from "./state";
import type { Config } from "./types";
import { Visits } from "./visits";

export class Chat {
  readonly drafts: Drafts;
  readonly conversations: Conversations;
  readonly outbox: Outbox;
  readonly customers: Customers;
  readonly library: Library;
  readonly asking: Asking;
  private readonly visits: Visits;
  private readonly context: Context;
  private calls = 0;
  private readonly soundKept = drawer<boolean>("local", "parley:sound");

  constructor(inboxId: string) {
    const context = new Context(inboxId);
    this.context = context;
    context.state = { ...firstState, sound: this.soundKept.get() ?? false };
    this.drafts = new Drafts(context);
    this.library = new Library(context);
    this.asking = new Asking(context);
    this.visits = new Visits(context);
    this.conversations = new Conversations(context, this.drafts);
    const live = new Live(context, {
      onFrame: (frame) => this.conversations.heard(frame),
      onFresh: () => void this.conversations.refresh(),
      onDown: () => !context.state.loaded && void this.conversations.refresh(),
      onRefused: () => this.customers.lost(),
    });
    this.outbox = new Outbox(context, { conversations: this.conversations, drafts: this.drafts, live });
    this.customers = new Customers(context, { drafts: this.drafts, live, outbox: this.outbox });
  }

  get state(): State {
    return this.context.state;
  }

  subscribe(listener: () => void): () => void {
    return this.context.subscribe(listener);
  }

  /** Shows a design that is not saved yet; nothing is sent. */
  async preview(config: Config) {
    await this.speak([]);
    this.context.set({ config, phase: "ready", open: true, loaded: true, view: { name: "thread", id: null }, pending: [] });
  }

  /** `page` is the origin of the surrounding page, as reported by the browser; "" if there is none. */
  async start(host: Host, welcome: Pick<Welcome, "open" | "identity" | "languages">, page = "") {
    const { context } = this;
    context.join(host, page);
    context.set({ open: welcome.open, view: context.tab.place.get() ?? firstState.view, pending: context.tab.outbox.get() ?? [] });
    const [config] = await Promise.all([this.state.config ?? this.configure(), this.speak(welcome.languages)]);
    if (!config) {
      context.set({ phase: "closed" });
      return context.problem(`there is no web inbox ${context.inboxId}; data-inbox of the tag is not right.`);
    }
    if (welcome.identity !== null) await this.customers.identify(welcome.identity);
    else await this.customers.asVisitor();
  }

  /** Handles a message from the surrounding page. */
  heard(message: Exclude<ToFrame, { type: "near" }>) {
    if (message.type === "identify") void this.customers.identify(message.token);
    else if (message.type === "visit") this.visits.heard(message);
    else if (message.type === "logout") {
      this.asking.forget();
      void this.customers.logout();
    } else if (message.type === "language") void this.speak(message.languages);
    else {
      this.context.set({ open: message.open });
      void this.conversations.markRead();
    }
  }

  close() {
    this.context.tell({ type: "close" });
  }

  setSound(sound: boolean) {
    this.soundKept.set(sound);
    this.context.set({ sound });
    if (sound) ping();
  }

  /** Speaks the first language of the page or the browser that there are words in; the latest call counts. */
  private async speak(wanted: readonly string[]) {
    const call = ++this.calls;
    const tongue = tongueOf(wanted, navigator.languages);
    if (this.state.tongue?.language === tongue.language && spoken().locale === tongue.locale) return;
    const words = await wordsOf(tongue.language);
    if (call !== this.calls) return;
    speak(tongue, words);
    this.library.forget();
    this.context.set({ tongue });
    this.customers.look();
  }

  /** Reads the configuration of the widget; null if the inbox does not exist. It retries while the server is away. */
  private async configure(): Promise<Config | null> {
    for (let failures = 0; ; failures++) {
      try {
        const config = await ask<Config>(`inboxes/${encodeURIComponent(this.context.inboxId)}`, "");
        this.context.set({ config });
        return config;
      } catch (error) {
        if (error instanceof ApiError && !error.passing) return null;
        await pause(backoff(pauses, failures));
      }
    }
  }
}
