// Sends the member's messages to the server. Unsent ones outlive the page, are
// sent automatically, in order within each conversation, and ask their author
// if something happened in the meantime. One tab at a time sends the items of a
// conversation. Each item has one Idempotency-Key for good, so even if two tabs
// send it, the server stores it once.
import { ApiError } from "../api/client";
import type { Message } from "../api/types";
import { createCell, type Cell } from "../sync/cell";
import { agreed, byConversation, day, faultText, heldFor, isItem, itemOf, lookedAt, mayGo, nextOf, pauseAfter, verdictOf, type Item, type Now, type Written } from "./item";
import type { ItemStore } from "./itemstore";

/** The connection to the server. Failures are ApiErrors. */
export interface Wire {
  post: (item: Item) => Promise<Message>;
  look: (conversationId: string) => Promise<Now>;
  setStatus: (conversationId: string, status: "open" | "resolved") => Promise<unknown>;
}

/** The environment of the outbox, which tests replace. */
export interface World {
  meId: string;
  store: ItemStore;
  wire: Wire;
  now: () => number;
  random: () => number;
  newKey: () => string;
  /** Runs the work while no other tab does work of this name; not at all once the signal aborts. */
  alone: (name: string, signal: AbortSignal, work: () => Promise<void>) => Promise<void>;
  later: (ms: number, run: () => void) => () => void;
  /** The server has the message; null if only a read can tell which. */
  onSent: (conversationId: string, message: Message | null) => void;
  /** Another member is signed in in this browser. */
  onReplaced: () => void;
}

/** The longest wait that the server can ask for, or that a wrong clock can cause, in milliseconds. */
const longestWait = 600_000;

export class Outbox {
  /** All unsent items, including those of other tabs. */
  readonly items: Cell<readonly Item[]> = createCell<readonly Item[]>([]);
  private stopping = new AbortController();
  private readonly runs = new Map<string, Promise<void>>();
  private readonly timers = new Map<string, () => void>();
  /** Conversations whose next item is tried before it is due. */
  private readonly forced = new Set<string>();
  /** Keys of the items whose requests are in flight. */
  private readonly inFlight = new Set<string>();
  /** The messages whose events arrived before the answers to their requests, by the keys of their items. */
  private readonly arrived = new Map<string, string>();
  /** Keys of the items that only this page has, because the storage was full. */
  private readonly unkept = new Set<string>();

  constructor(private readonly world: World) {
    this.stopping.abort();
    this.read();
  }

  /** Starts sending. The returned function stops it; unsent items stay in their store. */
  start(): () => void {
    this.stopping = new AbortController();
    const end = this.world.store.subscribe(() => {
      this.read();
      this.carryAll();
    });
    this.carryAll();
    return () => {
      end();
      this.stop();
    };
  }

  /** Stores a message and sends it. */
  add(written: Written): Item {
    const item = itemOf(written, this.world.newKey(), this.world.now(), this.items.get());
    this.put(item);
    this.carry(item.conversationId);
    return item;
  }

  /** Its author agrees to send an item that asks; with `reopen` the conversation is opened first. */
  agree(key: string, reopen = false) {
    this.change(key, (item) => agreed(item, this.world.now(), reopen));
  }

  /** Retries a late or refused item at once. */
  retry(key: string) {
    this.change(key, (item) => ({ ...item, tries: Math.min(item.tries, 1), dueAt: 0, stand: { is: "ready" } }));
  }

  /** Sends held items at once: one, or all of them. */
  release(key?: string) {
    for (const item of this.items.get()) {
      if (heldFor(item, this.world.now()) > 0 && (key === undefined || key === item.key)) this.change(item.key, ({ heldUntil: _, ...rest }) => rest);
    }
  }

  /**
   * Takes an item back, for editing or discarding, once `keep` has it. Undefined if it was sent in the meantime, or was
   * not kept.
   */
  async take(key: string, keep: (item: Item) => boolean = () => true): Promise<Item | undefined> {
    const found = this.find(key);
    if (!found) return undefined;
    let taken: Item | undefined;
    // Not during an attempt.
    await this.world.alone(found.conversationId, new AbortController().signal, async () => {
      const item = this.find(key);
      if (!item || !keep(item)) return this.read();
      taken = item;
      this.drop(key);
    });
    this.carry(found.conversationId);
    return taken;
  }

  /** Puts an item that was taken back as it was. */
  restore(item: Item) {
    this.put(item);
    this.carry(item.conversationId);
  }

  /**
   * Handles the event of a message of this member: the matching item counts as sent. It is tried once more all the
   * same, so that a message with the same text that was posted elsewhere does not remove it.
   */
  saw(message: Message) {
    const item = byConversation(this.items.get())
      .get(message.conversationId)
      ?.find((one) => one.posted === "" && mayGo(one) && heldFor(one, this.world.now()) === 0 && isItem(one, message, this.world.meId));
    if (!item) return;
    this.arrived.set(item.key, message.id);
    this.read();
    if (item.stand.is === "ready") return;
    this.forced.add(item.conversationId);
    this.carry(item.conversationId);
  }

  /** The connection may be back: tries all items now. */
  wake() {
    for (const id of byConversation(this.items.get()).keys()) {
      this.forced.add(id);
      this.carry(id);
    }
  }

  /** Tries all items now, held ones too, within a time limit. Returns whether none is left. */
  async flush(ms: number): Promise<boolean> {
    this.release();
    this.wake();
    let cancel = () => {};
    const over = new Promise<void>((resolve) => (cancel = this.world.later(ms, resolve)));
    await Promise.race([over, Promise.allSettled(this.runs.values())]);
    cancel();
    return this.items.get().length === 0;
  }

  /** Drops the items of a conversation that was deleted. */
  forget(conversationId: string) {
    for (const { key } of this.of(conversationId)) this.drop(key);
  }

  /** Drops all items, because the member signs out. */
  clear() {
    this.stop();
    for (const { key } of this.items.get()) this.world.store.drop(key);
    this.read();
  }

  /**
   * Whether the page can be closed without loss: unsent items are in requests that outlive it, or other tabs of the
   * member have them.
   */
  mayLeave(otherTabs: boolean): boolean {
    return this.items.get().every((item) => this.arrived.has(item.key) || (otherTabs && !this.unkept.has(item.key)) || (this.inFlight.has(item.key) && outlives(item)));
  }

  private stop() {
    this.stopping.abort();
    for (const cancel of this.timers.values()) cancel();
    this.timers.clear();
  }

  // The store.

  private read() {
    this.items.set(this.world.store.all().map((item) => ({ ...item, posted: item.posted || (this.arrived.get(item.key) ?? "") })));
  }

  private put(item: Item) {
    this.keep(item);
    this.read();
  }

  private keep(item: Item) {
    if (this.world.store.put(item)) this.unkept.delete(item.key);
    else this.unkept.add(item.key);
  }

  private drop(key: string) {
    this.arrived.delete(key);
    this.unkept.delete(key);
    this.world.store.drop(key);
    this.read();
  }

  private find(key: string): Item | undefined {
    return this.world.store.all().find((item) => item.key === key);
  }

  /** Changes an item that is still there, and continues with its conversation. */
  private change(key: string, to: (item: Item) => Item) {
    const item = this.find(key);
    if (!item) return this.read();
    this.put(to(item));
    this.carry(item.conversationId);
  }

  private of(conversationId: string): Item[] {
    return byConversation(this.world.store.all()).get(conversationId) ?? [];
  }

  // Sending.

  private carryAll() {
    for (const id of byConversation(this.items.get()).keys()) this.carry(id);
  }

  private carry(id: string) {
    const { signal } = this.stopping;
    if (signal.aborted || this.runs.has(id) || !this.isDue(id)) return;
    const run = this.world
      .alone(id, signal, () => this.run(id, signal))
      .catch(() => undefined) // stopped while it waited for its turn
      .then(() => {
        this.runs.delete(id);
        this.forced.delete(id);
        this.carry(id); // what was added in the meantime
      });
    this.runs.set(id, run);
  }

  /** Whether an item of a conversation is due now; otherwise sets a timer for it. */
  private isDue(id: string): boolean {
    const next = nextOf(this.of(id));
    if (!next) return false;
    const now = this.world.now();
    // A clock that was set back must not delay it by as much.
    const pause = this.forced.has(id) ? 0 : Math.min(next.dueAt - now, longestWait);
    const wait = Math.max(pause, heldFor(next, now));
    if (wait <= 0) return true;
    this.timers.get(id)?.();
    this.timers.set(
      id,
      this.world.later(wait, () => {
        this.forced.add(id);
        this.carry(id);
      }),
    );
    return false;
  }

  private async run(id: string, signal: AbortSignal) {
    while (!signal.aborted && this.isDue(id)) {
      this.forced.delete(id);
      const item = nextOf(this.of(id));
      if (item) await this.attempt(item);
    }
    this.read();
  }

  private async attempt(item: Item) {
    try {
      await this.goOn(item);
    } catch (error) {
      await this.failed(this.find(item.key) ?? item, error);
    }
  }

  private async goOn(item: Item): Promise<void> {
    const { wire, onSent, now } = this.world;
    if (item.posted !== "") return this.finish(item);
    if (now() - item.agreedAt > day) return this.look(item);
    if (item.before === "reopen") {
      await wire.setStatus(item.conversationId, "open");
      return this.step({ ...item, before: "" });
    }
    const message = await this.post(item);
    onSent(item.conversationId, message);
    if (!message || item.after === "") return this.sent(item, message);
    return this.step({ ...item, posted: message.id });
  }

  /** Stores the progress of an item, unless it was taken or dropped in the meantime. */
  private async step(item: Item): Promise<void> {
    if (!this.find(item.key)) return this.read();
    this.put(item);
    return this.goOn(item);
  }

  /**
   * Resolves the conversation after its answer, and reads it afterwards, so that a message that the customer wrote up
   * to that moment is not hidden.
   */
  private async finish(item: Item): Promise<void> {
    const { wire } = this.world;
    const { messages, status } = await wire.look(item.conversationId);
    const again = messages.some(({ id, messageType }) => id > item.posted && messageType === "incoming");
    if (item.after === "resolve" && !again) {
      await wire.setStatus(item.conversationId, "resolved");
      return this.step({ ...item, after: "resolved" });
    }
    if (again && item.after === "resolved" && status === "resolved") await wire.setStatus(item.conversationId, "open");
    this.sent(item, messages.find(({ id }) => id === item.posted) ?? null);
  }

  /** Null if an earlier attempt had arrived. */
  private async post(item: Item): Promise<Message | null> {
    this.inFlight.add(item.key);
    try {
      return await this.world.wire.post(item);
    } catch (error) {
      if (verdictOf(error) === "delivered") return null;
      throw error;
    } finally {
      this.inFlight.delete(item.key);
    }
  }

  private sent(item: Item, message: Message | null) {
    // Their author knew this message when writing the items after it. They are
    // updated first, so that no tab takes its event for theirs.
    for (const other of message ? this.of(item.conversationId) : []) {
      if (message && other.key !== item.key && other.seen < message.id && (other.isPrivate || !item.isPrivate)) this.keep({ ...other, seen: message.id });
    }
    this.drop(item.key);
  }

  private async failed(item: Item, error: unknown) {
    const verdict = verdictOf(error);
    if (verdict === "overtaken") {
      return this.look(item).catch((fault: unknown) => this.stand(item, verdictOf(fault) === "signedOut" ? "signedOut" : "late", fault));
    }
    this.stand(item, verdict, error);
  }

  private stand(item: Item, verdict: ReturnType<typeof verdictOf>, error: unknown) {
    if (!this.find(item.key)) return this.read();
    const fault = faultText(error);
    if (verdict === "refused") return item.posted === "" ? this.put({ ...item, stand: { is: "refused", fault } }) : this.drop(item.key);
    // When the same member signs in again, sending restarts.
    if (verdict === "signedOut" || verdict === "replaced") this.stop();
    const asked = error instanceof ApiError && error.retryAfter ? error.retryAfter * 1000 : 0;
    this.put({ ...item, ...this.oneMore(item, asked), stand: { is: "late", fault } });
    if (verdict === "replaced") this.world.onReplaced();
  }

  private oneMore({ tries }: Item, atLeast = 0) {
    return { tries: tries + 1, dueAt: this.world.now() + Math.max(atLeast, pauseAfter(tries, this.world.random())) };
  }

  /** Reads what happened in the meantime, and continues or asks. */
  private async look(item: Item) {
    const now = await this.world.wire.look(item.conversationId);
    const next = lookedAt(item, now, this.world.meId, this.world.now());
    if (!this.find(item.key)) return this.read();
    if (next === "delivered") {
      this.world.onSent(item.conversationId, null);
      return this.sent(item, null);
    }
    // Others may write all the time, which is no reason to ask all the time.
    this.put(next.stand.is === "ready" ? { ...next, tries: next.tries + 1, dueAt: next.tries < 5 ? 0 : this.oneMore(next).dueAt } : next);
  }
}

/** Whether the request continues when its page is closed: browsers limit all such requests together to 64 KiB. */
export function outlives({ content }: Item): boolean {
  return content.length * 3 < 30_000;
}
