// Carries what the member has sent to the server: what waits outlives the page,
// goes by itself, each conversation's in its order, and asks its author where
// something came in between. Of all tabs one at a time carries the items of a
// conversation; each item has one Idempotency-Key for good, so where two tabs
// carry it all the same, the server stores it once.
import { ApiError } from "../api/client";
import type { Message } from "../api/types";
import { createCell, type Cell } from "../sync/cell";
import { agreed, byConversation, day, faultText, isItem, itemOf, lookedAt, mayGo, nextOf, pauseAfter, verdictOf, type Item, type Now, type Written } from "./item";
import type { ItemStore } from "./itemstore";

/** The way to the server. What it cannot do fails with an ApiError. */
export interface Wire {
  post: (item: Item) => Promise<Message>;
  look: (conversationId: string) => Promise<Now>;
  setStatus: (conversationId: string, status: "open" | "resolved") => Promise<unknown>;
}

/** What surrounds the outbox, so that tests can be in its place. */
export interface World {
  meId: string;
  store: ItemStore;
  wire: Wire;
  now: () => number;
  random: () => number;
  newKey: () => string;
  /** Runs the work while no other tab does work of this name; not at all once the signal ends it. */
  alone: (name: string, signal: AbortSignal, work: () => Promise<void>) => Promise<void>;
  later: (ms: number, run: () => void) => () => void;
  /** The server has the message; null where only a read tells which. */
  onSent: (conversationId: string, message: Message | null) => void;
  /** Another member is signed in at this browser. */
  onReplaced: () => void;
}

/** What the server asks to wait, or the clock seems to, counts for so long at most, in milliseconds. */
const longestWait = 600_000;

export class Outbox {
  /** All that wait, those of other tabs too. */
  readonly items: Cell<readonly Item[]> = createCell<readonly Item[]>([]);
  private stopping = new AbortController();
  private readonly runs = new Map<string, Promise<void>>();
  private readonly timers = new Map<string, () => void>();
  /** Conversations whose next item is tried without waiting for its time. */
  private readonly forced = new Set<string>();
  /** Keys of those that a request carries now. */
  private readonly inFlight = new Set<string>();
  /** The messages that events told of before their requests were answered, by the keys of their items. */
  private readonly arrived = new Map<string, string>();
  /** Keys of those that this page alone keeps, because the store was full. */
  private readonly unkept = new Set<string>();

  constructor(private readonly world: World) {
    this.stopping.abort();
    this.read();
  }

  /** Begins to carry; the answer ends it, and what waits stays in its store. */
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

  /** Keeps what was written, and carries it. */
  add(written: Written): Item {
    const item = itemOf(written, this.world.newKey(), this.world.now(), this.items.get());
    this.put(item);
    this.carry(item.conversationId);
    return item;
  }

  /** Its author lets an item go that asks; with `reopen` the conversation is opened first. */
  agree(key: string, reopen = false) {
    this.change(key, (item) => agreed(item, this.world.now(), reopen));
  }

  /** Tries one again at once that is late or refused. */
  retry(key: string) {
    this.change(key, (item) => ({ ...item, tries: Math.min(item.tries, 1), dueAt: 0, stand: { is: "ready" } }));
  }

  /** Takes an item back, to be edited or thrown away, once `keep` has it. Undefined where it has gone meanwhile, or was not kept. */
  async take(key: string, keep: (item: Item) => boolean = () => true): Promise<Item | undefined> {
    const found = this.find(key);
    if (!found) return undefined;
    let taken: Item | undefined;
    // Not between the two ends of a try.
    await this.world.alone(found.conversationId, new AbortController().signal, async () => {
      const item = this.find(key);
      if (!item || !keep(item)) return this.read();
      taken = item;
      this.drop(key);
    });
    this.carry(found.conversationId);
    return taken;
  }

  /** Puts back what was taken, as it stood. */
  restore(item: Item) {
    this.put(item);
    this.carry(item.conversationId);
  }

  /**
   * An event tells of a message of this member: the item that it is counts as there. It is tried once more all the same,
   * so that one of the same words that somebody posted otherwise takes nothing away.
   */
  saw(message: Message) {
    const item = byConversation(this.items.get())
      .get(message.conversationId)
      ?.find((one) => one.posted === "" && mayGo(one) && isItem(one, message, this.world.meId));
    if (!item) return;
    this.arrived.set(item.key, message.id);
    this.read();
    if (item.stand.is === "ready") return;
    this.forced.add(item.conversationId);
    this.carry(item.conversationId);
  }

  /** The way may be open again: all are tried now. */
  wake() {
    for (const id of byConversation(this.items.get()).keys()) {
      this.forced.add(id);
      this.carry(id);
    }
  }

  /** Tries all now, for some time at most. Answers whether nothing is left. */
  async flush(ms: number): Promise<boolean> {
    this.wake();
    let cancel = () => {};
    const over = new Promise<void>((resolve) => (cancel = this.world.later(ms, resolve)));
    await Promise.race([over, Promise.allSettled(this.runs.values())]);
    cancel();
    return this.items.get().length === 0;
  }

  /** Forgets all, because the member signs out. */
  clear() {
    this.stop();
    for (const { key } of this.items.get()) this.world.store.drop(key);
    this.read();
  }

  /** Whether the page may go without a loss: what waits is with requests that outlive it, or with the member's other tabs. */
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

  /** Changes an item that still waits, and goes on with its conversation. */
  private change(key: string, to: (item: Item) => Item) {
    const item = this.find(key);
    if (!item) return this.read();
    this.put(to(item));
    this.carry(item.conversationId);
  }

  private of(conversationId: string): Item[] {
    return byConversation(this.world.store.all()).get(conversationId) ?? [];
  }

  // Carrying.

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
        this.carry(id); // what came while it ended
      });
    this.runs.set(id, run);
  }

  /** Whether something of a conversation goes now; for what goes later a timer is set. */
  private isDue(id: string): boolean {
    const next = nextOf(this.of(id));
    if (!next) return false;
    // A clock that was set back must not hold it for as long.
    const wait = Math.min(next.dueAt - this.world.now(), longestWait);
    if (wait <= 0 || this.forced.has(id)) return true;
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

  /** Goes on with an item of which something is done, unless it was taken or forgotten meanwhile. */
  private async step(item: Item): Promise<void> {
    if (!this.find(item.key)) return this.read();
    this.put(item);
    return this.goOn(item);
  }

  /** Resolves the conversation after its answer, and looks behind it: what the customer wrote up to that moment is not to be hidden. */
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

  /** Null where an earlier try had arrived. */
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
    // Their author knew it when writing those behind it. First they learn of it, so that no tab takes its event for theirs.
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
    // The sign-in of the same member begins anew.
    if (verdict === "signedOut" || verdict === "replaced") this.stop();
    const asked = error instanceof ApiError && error.retryAfter ? error.retryAfter * 1000 : 0;
    this.put({ ...item, ...this.oneMore(item, asked), stand: { is: "late", fault } });
    if (verdict === "replaced") this.world.onReplaced();
  }

  private oneMore({ tries }: Item, atLeast = 0) {
    return { tries: tries + 1, dueAt: this.world.now() + Math.max(atLeast, pauseAfter(tries, this.world.random())) };
  }

  /** Looks at what came in between, and goes on or asks. */
  private async look(item: Item) {
    const now = await this.world.wire.look(item.conversationId);
    const next = lookedAt(item, now, this.world.meId, this.world.now());
    if (!this.find(item.key)) return this.read();
    if (next === "delivered") {
      this.world.onSent(item.conversationId, null);
      return this.sent(item, null);
    }
    // Somebody may write all the time; that is no reason to ask all the time.
    this.put(next.stand.is === "ready" ? { ...next, tries: next.tries + 1, dueAt: next.tries < 5 ? 0 : this.oneMore(next).dueAt } : next);
  }
}

/** What a browser lets a request carry on with after its page is gone is 64 KiB of all requests together. */
export function outlives({ content }: Item): boolean {
  return content.length * 3 < 30_000;
}
