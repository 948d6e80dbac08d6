// A server and a browser for the tests of the outbox. The server has the rules
// of POST messages: a key counts once, for one body; refused requests are not
// remembered; conditions are checked after the key.
import { ApiError } from "../api/client";
import type { HistoryEntry, Message, Status } from "../api/types";
import { message, time } from "../sync/world.fixture";
import { bodyOf, type Item, type Written } from "./item";
import { Outbox, type World } from "./outbox";
import type { ItemStore } from "./itemstore";

/** What happens to a request: it is lost before the server, its answer is lost, or it gets another status. */
export type Fault = "before" | "after" | number;

export class Desk {
  readonly messages: Message[] = [];
  readonly history: HistoryEntry[] = [];
  status: Status = "open";
  /** The member whose cookie the browser has. */
  signedIn = "usr_me";
  /** The outcomes of the next requests, in order; later ones succeed. */
  faults: Fault[] = [];
  posts = 0;
  private readonly answers = new Map<string, { body: string; message: Message }>();

  says(more: Partial<Message>): Message {
    const made = message(`m${String(this.messages.length + 1).padStart(4, "0")}`, "c", this.messages.length + 1, more);
    this.messages.push(made);
    return made;
  }

  resolve(by: { id: string; name: string }) {
    this.status = "resolved";
    this.history.push({
      id: "h",
      conversationId: "c",
      type: "conversation.updated",
      createdAt: time(1),
      actor: { type: "member", ...by },
      cause: null,
      imported: false,
      changes: { status: "resolved" },
    });
  }

  async post(item: Item): Promise<Message> {
    this.posts++;
    return this.faulty(() => this.take(item));
  }

  /** Does the work, unless the request is lost; then the answer may be lost. */
  async faulty<T>(work: () => T): Promise<T> {
    const fault = this.faults.shift();
    if (fault === "before") throw new ApiError(0, "unreachable");
    if (typeof fault === "number") throw new ApiError(fault, "the server is busy");
    const answer = work();
    if (fault === "after") throw new ApiError(0, "unreachable");
    return answer;
  }

  private take(item: Item): Message {
    if (this.signedIn !== "usr_me") throw new ApiError(400, "agentUserId: must be absent or your own id", "invalid; field=agentUserId");
    const body = bodyOf(item, "usr_me");
    const known = this.answers.get(item.key);
    if (known && known.body !== JSON.stringify(body)) throw new ApiError(422, "Idempotency-Key: was used before with another body", "idempotency_mismatch; field=Idempotency-Key");
    if (known) return known.message;
    const last = this.of(item.conversationId).at(-1)?.id ?? "";
    if (body.ifLastMessageId && body.ifLastMessageId !== last)
      throw new ApiError(409, `ifLastMessageId: must be the last message of the conversation, which is ${last}`, "conflict; field=ifLastMessageId");
    if (body.ifStatus && this.status === "resolved") throw new ApiError(409, "ifStatus: must have the status of the conversation, which is resolved", "conflict; field=ifStatus");
    const made = this.says({
      conversationId: item.conversationId,
      content: item.content,
      isPrivate: item.isPrivate,
      attachments: [...item.attachments],
      senderType: "agent",
      senderId: "usr_me",
      messageType: "outgoing",
    });
    this.answers.set(item.key, { body: JSON.stringify(body), message: made });
    return made;
  }

  /** The messages of a conversation. */
  of(conversationId: string): Message[] {
    return this.messages.filter((one) => one.conversationId === conversationId);
  }

  /** The number of messages with a text. */
  count(content: string): number {
    return this.messages.filter((one) => one.content === content).length;
  }
}

/** The storage of a browser, which its tabs share. */
export class Storage {
  full = false;
  private readonly kept = new Map<string, string>();
  private readonly listeners = new Set<() => void>();

  /** The storage as one tab sees it. Items that do not fit into a full storage stay in the tab. */
  store(): ItemStore {
    const here = new Map<string, Item>();
    let mine: () => void = () => {};
    const changed = () => this.listeners.forEach((listener) => listener !== mine && listener());
    return {
      all: () =>
        [...this.kept.values()]
          .map((text) => JSON.parse(text) as Item)
          .filter(({ key }) => !here.has(key))
          .concat([...here.values()]),
      put: (item) => {
        if (this.full) {
          here.set(item.key, item);
          return false;
        }
        here.delete(item.key);
        this.kept.set(item.key, JSON.stringify(item));
        changed();
        return true;
      },
      drop: (key) => {
        here.delete(key);
        this.kept.delete(key);
        changed();
      },
      subscribe: (listener) => {
        mine = listener;
        this.listeners.add(listener);
        return () => this.listeners.delete(listener);
      },
    };
  }
}

/** A browser with a clock that the test moves, and the locks of its tabs. */
export class Browser {
  now = Date.UTC(2026, 10, 20, 9);
  readonly storage = new Storage();
  private timers: { at: number; run: () => void }[] = [];
  private readonly locks = new Map<string, Promise<void>>();
  private keys = 0;

  /** Without locks, as on an insecure page, tabs may send the same item concurrently. */
  constructor(
    readonly desk: Desk,
    private readonly locked = true,
  ) {}

  /** Opens a tab of the member; `wire` replaces parts of its connection to the server. */
  tab(wire: Partial<World["wire"]> = {}): { outbox: Outbox; close: () => void; sent: string[]; replaced: () => number } {
    const sent: string[] = [];
    let replaced = 0;
    const { desk } = this;
    const outbox = new Outbox({
      meId: "usr_me",
      store: this.storage.store(),
      wire: {
        post: (item) => desk.post(item),
        look: (id) => desk.faulty(() => ({ status: desk.status, messages: desk.of(id), history: desk.history })),
        setStatus: (_, status) => desk.faulty(() => (desk.status = status)),
        ...wire,
      },
      now: () => this.now,
      random: () => 1,
      newKey: () => `k${++this.keys}`,
      alone: (name, signal, work) => {
        if (!this.locked) return work();
        const run = (this.locks.get(name) ?? Promise.resolve()).then(() => (signal.aborted ? undefined : work()));
        this.locks.set(
          name,
          run.catch(() => undefined),
        );
        return run;
      },
      later: (ms, run) => {
        const timer = { at: this.now + ms, run };
        this.timers.push(timer);
        return () => (this.timers = this.timers.filter((one) => one !== timer));
      },
      onSent: (_, made) => sent.push(made?.content ?? "?"),
      onReplaced: () => {
        replaced++;
      },
    });
    return { outbox, close: outbox.start(), sent, replaced: () => replaced };
  }

  /** Waits until nothing more can happen without time passing. */
  async settle() {
    for (let turn = 0; turn < 200; turn++) await Promise.resolve();
  }

  /** Moves the clock, timer by timer. */
  async pass(ms: number) {
    const end = this.now + ms;
    await this.settle();
    for (;;) {
      const [next] = this.timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (!next) break;
      this.timers = this.timers.filter((one) => one !== next);
      this.now = Math.max(this.now, next.at);
      next.run();
      await this.settle();
    }
    this.now = end;
  }
}

/** A message that is written when `seen` is the newest. */
export function written(content: string, seen = "", more: Partial<Written> = {}): Written {
  return { conversationId: "c", to: "Ann", content, isPrivate: false, attachments: [], seen, knewResolved: false, ...more };
}
