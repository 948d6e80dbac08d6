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
import { speak, tongueOf, wordsOf } from "./language";
import { drawer } from "./keep";
import { Library } from "./library";
import { Live } from "./live";
import { Outbox } from "./outbox";
import { ping } from "./sound";
import { firstState, type State } from "./state";
import type { Config } from "./types";
import { Visits } from "./visits";

/** What a link in a mail opens. */
export interface Returned {
  token: string;
  conversation: string;
}

export class Chat {
  readonly drafts: Drafts;
  readonly conversations: Conversations;
  readonly outbox: Outbox;
  readonly customers: Customers;
  readonly library: Library;
  readonly asking: Asking;
  private readonly visits: Visits;
  private readonly context: Context;
  private words: { language: string; all: Readonly<Record<string, string>> } | null = null; // of the preview
  private speaking: Promise<void> = Promise.resolve();
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

  /** Whether a link in a mail opened a single conversation. */
  get returned(): boolean {
    return this.context.session.returned;
  }

  get state(): State {
    return this.context.state;
  }

  subscribe(listener: () => void): () => void {
    return this.context.subscribe(listener);
  }

  /** Shows a design that is not saved yet, in a language; nothing is sent. */
  preview(config: Config, language: string): Promise<void> {
    return this.turn(async () => {
      const tongue = tongueOf([language], navigator.languages);
      this.words = this.words?.language === tongue.language ? this.words : { language: tongue.language, all: await wordsOf(tongue.language) };
      speak(tongue, { ...this.words.all, ...config.texts });
      this.context.set({ tongue, config, phase: "ready", open: true, loaded: true, view: { name: "thread", id: null }, pending: [] });
    });
  }

  /**
   * `page` is the origin of the surrounding page, as reported by the browser; "" if there is none. `returned` is what a
   * link in a mail opens: a conversation, and the token of a session that sees it alone, if it was not stored before.
   */
  async start(host: Host, welcome: Pick<Welcome, "open" | "identity" | "languages">, page = "", returned?: Returned) {
    const { context } = this;
    context.join(host, returned ? `link:${returned.conversation}` : page);
    if (returned) context.session.returns(returned.token);
    const place = returned ? ({ name: "thread", id: returned.conversation } as const) : context.tab.place.get();
    context.set({ open: welcome.open, view: place ?? firstState.view, pending: context.tab.outbox.get() ?? [] });
    await this.speak(welcome.languages);
    if (!this.state.config) {
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

  /** Speaks the first language of the page or the browser that there are words in. Calls take turns: the last one counts. */
  private speak(wanted: readonly string[]): Promise<void> {
    return this.turn(async () => {
      const { config, tongue: before } = this.state;
      const tongue = tongueOf(wanted, navigator.languages);
      if (config && before?.locale === tongue.locale) return;
      const [words, read] = await Promise.all([wordsOf(tongue.language), this.configure(tongue.language)]);
      speak(tongue, { ...words, ...read?.texts });
      this.library.forget();
      this.context.set({ tongue, config: read });
      this.customers.look();
    });
  }

  private turn(work: () => Promise<void>): Promise<void> {
    this.speaking = this.speaking.then(work);
    return this.speaking;
  }

  /** Reads the configuration of the widget, with its own texts in a language; null if the inbox does not exist. It retries while the server is away. */
  private async configure(language: string): Promise<Config | null> {
    for (let failures = 0; ; failures++) {
      try {
        return await ask<Config>(`inboxes/${encodeURIComponent(this.context.inboxId)}?language=${language}`, "");
      } catch (error) {
        if (error instanceof ApiError && !error.passing) return null;
        await pause(backoff(pauses, failures));
      }
    }
  }
}
