// A text of an article that is being written: it is stored in the browser while
// it is written, saved after a pause, and never replaces what somebody else
// saved meanwhile. The server and the browser's storage are passed in.
import { ApiError } from "../api/client";
import type { ArticleText, ArticleVersion, Content } from "../api/knowledge";
import { backoff } from "../../../shared/retry";
import { createCell } from "../sync/cell";
import type { StoredText } from "./drafts";

/** What the session needs of the world around it. */
export interface Way {
  load: () => Promise<ArticleText>;
  /** The newest version, with its author. */
  newest: () => Promise<ArticleVersion | undefined>;
  save: (version: number, content: Content) => Promise<ArticleText>;
  stored: () => StoredText | null;
  store: (text: StoredText | null) => void;
  /** Stores the text that was put aside for another one. */
  putAside: (text: StoredText) => void;
}

/** The text that somebody else saved while this one was written. */
export interface Theirs {
  version: number;
  content: Content;
  /** Who wrote it; "" if unknown. */
  by: string;
  /** It is the member's own, from another tab or device. */
  own: boolean;
}

export type Phase = "loading" | "ready" | "failed" | "missing";

export interface Text {
  phase: Phase;
  content: Content;
  /** The saved version that `content` changes; 0: none. */
  version: number;
  /** The server does not have all of it. */
  unsaved: boolean;
  saving: boolean;
  /** Why it could not be loaded or saved; it is retried if that may help. */
  error: unknown;
  theirs: Theirs | null;
}

/** The pause in writing after which a text is saved, and the longest time until then, in ms. */
export const pause = 800;
export const longest = 5000;
/** How soon a text is stored in the browser, in ms. */
const storing = 250;
const pauses = { first: 1000, most: 30_000 };

export const empty: Content = { title: "", description: "", body: "", keywords: [] };

export class TextSession {
  readonly text = createCell<Text>({ phase: "loading", content: empty, version: 0, unsaved: false, saving: false, error: undefined, theirs: null });

  /** The content of the saved version; null if unknown. */
  private saved: Content | null = null;
  private saveTimer: ReturnType<typeof setTimeout> | undefined;
  private storeTimer: ReturnType<typeof setTimeout> | undefined;
  private since = 0;
  private failures = 0;
  /** The newest version that an event named. */
  private heard = 0;
  /** Uploads that are part of the text later; it is not saved before. */
  private uploads = 0;
  private running: Promise<void> | null = null;
  private ended = false;

  constructor(
    private readonly way: Way,
    private readonly meId: string,
  ) {}

  /** Reads the text. One that was being written here before continues. */
  async open(): Promise<void> {
    this.set({ phase: "loading", error: undefined });
    const stored = this.way.stored();
    try {
      this.begin(await this.way.load(), stored);
    } catch (error) {
      if (this.ended) return;
      if (error instanceof ApiError && error.status === 404 && error.named) return this.set({ phase: "missing", error, ...(stored && { content: stored.content, unsaved: true }) });
      if (stored) return this.offline(stored, error);
      this.set({ phase: "failed", error });
    }
  }

  private begin(text: ArticleText, stored: StoredText | null) {
    if (this.ended) return;
    this.saved = contentOf(text);
    this.heard = Math.max(this.heard, text.version);
    if (!stored || same(stored.content, this.saved)) {
      this.way.store(null);
      return this.set({ phase: "ready", content: this.saved, version: text.version, unsaved: false, error: undefined, theirs: null });
    }
    this.set({ phase: "ready", content: stored.content, version: stored.version, unsaved: true, error: undefined, theirs: null });
    if (stored.version === text.version) this.later(0);
    else void this.meet();
  }

  /** Continues with the stored text until the server can be reached. */
  private offline(stored: StoredText, error: unknown) {
    this.set({ phase: "ready", content: stored.content, version: stored.version, unsaved: true, error });
    this.later(backoff(pauses, this.failures++));
  }

  /** Changes what is being written. */
  change(change: Partial<Content>) {
    const { content, theirs } = this.text.get();
    const next = { ...content, ...change };
    const unsaved = !this.saved || !same(next, this.saved);
    this.set({ content: next, unsaved, error: theirs ? this.text.get().error : undefined });
    if (!unsaved) this.since = 0;
    else if (this.since === 0) this.since = Date.now();
    this.storeTimer ??= setTimeout(() => this.keep(), storing);
    if (unsaved) this.later(Math.max(0, Math.min(pause, this.since + longest - Date.now())));
  }

  /** Puts off saving until the returned function is called. */
  holdSaving(): () => void {
    this.uploads++;
    return () => {
      this.uploads--;
      if (this.text.get().unsaved) this.later(pause);
    };
  }

  /** Stores the text in the browser, or deletes it there once it is saved. */
  keep() {
    clearTimeout(this.storeTimer);
    this.storeTimer = undefined;
    const { phase, content, version, unsaved } = this.text.get();
    if (phase !== "loading" && phase !== "failed") this.way.store(unsaved ? { version, content, at: Date.now() } : null);
  }

  private later(wait: number) {
    clearTimeout(this.saveTimer);
    this.saveTimer = setTimeout(() => void (this.text.get().unsaved ? this.save() : this.meet()), wait);
  }

  /** Saves now, and returns whether everything is saved. */
  async save(): Promise<boolean> {
    clearTimeout(this.saveTimer);
    while (this.running) await this.running;
    const { phase, unsaved, theirs } = this.text.get();
    if (!unsaved) return true;
    if (phase !== "ready" || theirs || this.uploads > 0) return false;
    this.running = this.send().finally(() => (this.running = null));
    await this.running;
    return !this.text.get().unsaved;
  }

  private async send() {
    const { content, version } = this.text.get();
    this.set({ saving: true });
    try {
      const { version: after } = await this.way.save(version, content);
      this.accepted(content, after);
    } catch (error) {
      this.set({ saving: false });
      await this.refused(error);
    }
  }

  private accepted(content: Content, version: number) {
    this.failures = 0;
    this.since = 0;
    this.saved = content;
    this.heard = Math.max(this.heard, version);
    const unsaved = !same(this.text.get().content, content);
    this.set({ saving: false, version, unsaved, error: undefined });
    this.keep();
    if (unsaved) this.later(pause);
    else if (this.heard > version) void this.meet();
  }

  private async refused(error: unknown) {
    if (error instanceof ApiError && error.status === 409 && "version" in error.fields) return this.meet();
    if (error instanceof ApiError && error.status === 404 && error.named) this.set({ phase: "missing" });
    this.set({ error });
    this.keep();
    const passing = !(error instanceof ApiError) || error.passing;
    if (passing) this.later(Math.max(backoff(pauses, this.failures++), (error instanceof ApiError ? (error.retryAfter ?? 0) : 0) * 1000));
  }

  /** The connection is back: does not wait for the next try. */
  wake() {
    const { phase, unsaved, error } = this.text.get();
    if (phase === "failed") void this.open();
    else if (unsaved && error !== undefined) void this.save();
  }

  /** Somebody saved a version. */
  told(version: number) {
    this.heard = Math.max(this.heard, version);
    const { phase, saving, version: mine, theirs } = this.text.get();
    if (phase !== "ready" || saving || version <= (theirs?.version ?? mine)) return;
    void this.meet();
  }

  /** The text, or its article, was deleted. */
  deleted() {
    this.set({ phase: "missing" });
    this.keep();
  }

  /** Reads what somebody else saved: it replaces the text here, unless something here is unsaved. */
  private async meet(): Promise<void> {
    const newest = await this.way.newest().catch((error: unknown) => {
      this.set({ error });
      this.later(backoff(pauses, this.failures++));
      return undefined;
    });
    if (!newest || this.ended) return;
    const { content, unsaved, version } = this.text.get();
    this.heard = Math.max(this.heard, newest.version);
    if (newest.version <= version && this.saved) return;
    const theirs = contentOf(newest);
    if (!unsaved || same(content, theirs)) {
      this.saved = theirs;
      this.set({ content: theirs, version: newest.version, unsaved: false, error: undefined, theirs: null });
      return this.keep();
    }
    this.set({ theirs: { version: newest.version, content: theirs, by: newest.author.name, own: newest.author.id === this.meId }, error: undefined });
    this.keep();
  }

  /**
   * Of two texts, continues with the one here. The other one stays among the versions; one's own is put aside, because
   * changes by one author soon after each other are one version.
   */
  keepMine() {
    const { theirs } = this.text.get();
    if (!theirs) return;
    if (theirs.own) this.way.putAside({ version: theirs.version, content: theirs.content, at: Date.now() });
    this.saved = theirs.content;
    this.set({ theirs: null, version: theirs.version });
    this.later(0);
  }

  /** Of two texts, continues with the other one. The one here is put aside. */
  takeTheirs() {
    const { theirs, content, version } = this.text.get();
    if (!theirs) return;
    this.way.putAside({ version, content, at: Date.now() });
    this.saved = theirs.content;
    this.set({ theirs: null, content: theirs.content, version: theirs.version, unsaved: false, error: undefined });
    this.keep();
  }

  /** Shows a text that the server has just made the working one. */
  replace(text: ArticleText) {
    this.saved = contentOf(text);
    this.heard = Math.max(this.heard, text.version);
    this.set({ content: this.saved, version: text.version, unsaved: false, error: undefined, theirs: null });
    this.keep();
  }

  /** Forgets what is unsaved, because its author deletes the text. */
  discard() {
    clearTimeout(this.storeTimer);
    this.set({ phase: "missing", unsaved: false });
    this.way.store(null);
  }

  /** Stores what is unsaved, tries to save it a last time, and ends. */
  end() {
    this.keep();
    if (this.text.get().unsaved) void this.save();
    clearTimeout(this.saveTimer);
    this.ended = true;
  }

  private set(change: Partial<Text>) {
    this.text.update((text) => ({ ...text, ...change }));
  }
}

export function contentOf({ title, description, body, keywords }: Content): Content {
  return { title, description, body, keywords };
}

export function same(a: Content, b: Content): boolean {
  return a.title === b.title && a.description === b.description && a.body === b.body && a.keywords.length === b.keywords.length && a.keywords.every((word, index) => word === b.keywords[index]);
}
