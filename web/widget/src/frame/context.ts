// What the parts of the chat share: the state on display, the session, the
// storage of this tab, and the surrounding page.
import { backoff, pause } from "../../../shared/retry";
import type { ToTag } from "../protocol";
import { ApiError, ask, pauses, type Ask } from "./api";
import type { Host } from "./host";
import { counted } from "./language";
import { Session } from "./session";
import { firstState, unreadOf, type State } from "./state";
import { tabOf, type Tab } from "./tab";

export class Context {
  state: State = firstState;
  readonly inboxId: string;
  readonly session: Session;
  /** What is stored for the inbox in this tab, for the surrounding page only. */
  tab: Tab;
  /** The session is being exchanged. A request that fails because of the old session waits for the new one. */
  renewing = false;
  /** Called when the server no longer knows the session. */
  onLost: () => void = () => undefined;
  private host: Host = { send: () => undefined };
  private toldUnread = -1;
  private readonly listeners = new Set<() => void>();

  constructor(inboxId: string) {
    this.inboxId = inboxId;
    this.session = new Session(inboxId);
    this.tab = tabOf(inboxId, "");
  }

  /** Connects to the surrounding page; `page` is its origin. */
  join(host: Host, page: string) {
    this.host = host;
    this.session.in(page);
    this.tab = tabOf(this.inboxId, page);
    this.toldUnread = -1;
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  set(change: Partial<State>) {
    this.state = { ...this.state, ...change };
    if (unreadOf(this.state) !== this.toldUnread) this.tellUnread();
    for (const listener of this.listeners) listener();
  }

  tellUnread() {
    const count = (this.toldUnread = unreadOf(this.state));
    this.tell({ type: "unread", count, text: counted("unread", count) });
  }

  /** Sends a message to the tag. */
  tell(message: ToTag) {
    this.host.send(message);
  }

  /** Reports a problem to the shop's developers, in the console of the page. */
  problem(text: string) {
    this.tell({ type: "problem", text });
  }

  /**
   * Sends a request with the session. An answer for a session that has ended is dropped, because it is about somebody
   * else.
   */
  async ask<T>(path: string, options: Ask = {}): Promise<T> {
    const { token } = this.session;
    try {
      const answer = await ask<T>(path, token, options);
      if (token === this.session.token) return answer;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401 || token !== this.session.token) throw error;
      this.onLost();
    }
    throw new ApiError(401, "the session has changed");
  }
}

/** Retries while the server is away or busy. */
export async function persist<T>(work: () => Promise<T>): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ApiError) || !error.passing) throw error;
      await pause(Math.max(error.retryAfter, backoff(pauses, failures)));
    }
  }
}
