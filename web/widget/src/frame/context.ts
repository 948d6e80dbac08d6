// What the parts of the chat share: what is shown, the session, what is kept in
// this tab, and the page around the frame.
import { backoff, pause } from "../../../shared/retry";
import type { ToTag } from "../protocol";
import { ApiError, ask, pauses, type Ask } from "./api";
import type { Host } from "./host";
import { Session } from "./session";
import { firstState, unreadOf, type State } from "./state";
import { tabOf, type Tab } from "./tab";

export class Context {
  state: State = firstState;
  readonly inboxId: string;
  readonly session: Session;
  /** What is kept of the inbox in this tab, for the page around the frame alone. */
  tab: Tab;
  /** The session is being exchanged: what fails for the old one's sake waits for the new one. */
  renewing = false;
  /** Is called when the server does not know the session any more. */
  onLost: () => void = () => undefined;
  private host: Host = { send: () => undefined };
  private toldUnread = -1;
  private readonly listeners = new Set<() => void>();

  constructor(inboxId: string) {
    this.inboxId = inboxId;
    this.session = new Session(inboxId);
    this.tab = tabOf(inboxId, "");
  }

  /** Takes the page around the frame; `page` is its origin. */
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
    const unread = unreadOf(this.state);
    if (unread !== this.toldUnread) this.tell({ type: "unread", count: (this.toldUnread = unread) });
    for (const listener of this.listeners) listener();
  }

  /** Says something to the tag. */
  tell(message: ToTag) {
    this.host.send(message);
  }

  /** Says to the shop's developers, in the console of the page, what is wrong. */
  problem(text: string) {
    this.tell({ type: "problem", text });
  }

  /** Asks with the session. An answer to a session that is not there any more is none: it is about somebody else. */
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

/** Tries again while the server is away or busy. */
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
