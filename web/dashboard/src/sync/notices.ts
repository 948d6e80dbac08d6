// What the member is told, and which conversations they follow. A signal says that there is more; the server is asked
// then, and whenever signals may have been missed.
import { api } from "../api/client";
import type { Followers, Notice, NoticeList, UnreadNotices } from "../api/types";
import { createCell, type Cell } from "./cell";
import type { LineState, Signal } from "./line";

export interface Told {
  /** The latest first. */
  items: readonly Notice[];
  unread: number;
  /** The conversations that the member follows; of very many, those followed last. */
  following: ReadonlySet<string>;
}

/** What says that notices may have changed. */
interface Heard {
  line: Cell<LineState>;
  renewals: Cell<number>;
  onSignal: (listener: (name: Signal) => void) => () => void;
}

/** The least time between two reads (ms). It doubles while signals keep coming: busy conversations send one each second. */
const shortest = 1000;
const longest = 4000;

const path = "/v1/dashboard/notices";

export class Notices {
  /** Null until the server has answered. */
  readonly told = createCell<Told | null>(null);
  private readonly listeners = new Set<(news: readonly Notice[]) => void>();
  private loading: Promise<void> | null = null;
  private stale = false;
  /** Counts the changes here, to recognize an answer from before one. */
  private turns = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readAt = -Infinity;
  private pause = shortest;

  /** Reads the notices whenever they may have changed, until the returned function is called. */
  start(heard: Heard): () => void {
    const stops = [
      heard.line.subscribe(() => heard.line.get() === "live" && void this.load()),
      heard.renewals.subscribe(() => void this.load()),
      heard.onSignal((name) => name === "notice" && this.soon()),
    ];
    return () => {
      for (const stop of stops) stop();
      clearTimeout(this.timer);
    };
  }

  /** Calls the listener with unread notices that are new or happened again. Returns the function that stops it. */
  onNews(listener: (news: readonly Notice[]) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Handles a signal: reads at once, or after a pause if the last read was just now. */
  soon() {
    if (this.timer !== undefined) return;
    const quiet = Date.now() - this.readAt;
    this.pause = quiet > 2 * longest ? shortest : this.pause;
    const read = () => {
      this.timer = undefined;
      void this.load();
    };
    if (quiet >= this.pause) return read();
    this.timer = setTimeout(read, this.pause - quiet);
    this.pause = Math.min(longest, this.pause * 2);
  }

  /** Reads all, once more if they change meanwhile. */
  load(): Promise<void> {
    this.stale = true;
    this.loading ??= this.read().finally(() => (this.loading = null));
    return this.loading;
  }

  private async read() {
    while (this.stale) {
      this.stale = false;
      this.readAt = Date.now();
      const turn = this.turns;
      let list: NoticeList;
      try {
        list = await api.get<NoticeList>(path);
      } catch {
        return; // retried with the next signal, or the next connection
      }
      if (turn !== this.turns) this.stale = true;
      else this.show(list);
    }
  }

  private show({ data, unread, following }: NoticeList) {
    const before = this.told.get();
    this.told.set({ items: data, unread, following: new Set(following) });
    if (!before) return;
    const news = newsOf(before.items, data);
    if (news.length > 0) for (const listener of [...this.listeners]) listener(news);
  }

  private change(change: (told: Told) => Told) {
    this.turns++;
    this.told.update((told) => told && change(told));
  }

  hasUnread(conversationId: string): boolean {
    return this.told.get()?.items.some((notice) => notice.conversationId === conversationId && notice.readAt === null) ?? false;
  }

  /** The member has read a conversation, which reads its notices on the server too. */
  sawConversation(id: string) {
    if (this.hasUnread(id)) this.mark((notice) => notice.conversationId === id);
  }

  /** Marks notices as read, or all of them. If the server refuses, it shows the old ones again and throws. */
  async markRead(ids: readonly string[] | "all"): Promise<void> {
    this.mark(ids === "all" ? () => true : ({ id }) => ids.includes(id));
    try {
      const { unread } = await api.post<UnreadNotices>(`${path}/read`, ids === "all" ? { all: true } : { ids });
      this.change((told) => ({ ...told, unread }));
    } catch (error) {
      void this.load();
      throw error;
    }
  }

  private mark(which: (notice: Notice) => boolean) {
    const readAt = new Date().toISOString();
    this.change((told) => {
      const items = told.items.map((notice) => (notice.readAt === null && which(notice) ? { ...notice, readAt } : notice));
      const read = items.filter((notice, index) => notice !== told.items[index]).length;
      return { ...told, items, unread: Math.max(0, told.unread - read) };
    });
  }

  /** Follows a conversation, or leaves it, and returns who follows it then. */
  async follow(id: string, on: boolean): Promise<readonly string[]> {
    const show = (followed: boolean) =>
      this.change((told) => {
        const following = new Set(told.following);
        if (followed) following.add(id);
        else following.delete(id);
        return { ...told, following };
      });
    show(on);
    try {
      const address = `/v1/dashboard/conversations/${id}/follow`;
      return (await (on ? api.put<Followers>(address, {}) : api.delete<Followers>(address))).memberIds;
    } catch (error) {
      show(!on);
      throw error;
    }
  }
}

/** The unread notices that are new, or happened again, since `before`; the earliest first. */
export function newsOf(before: readonly Notice[], now: readonly Notice[]): Notice[] {
  const known = new Map(before.map(({ id, updatedAt }) => [id, updatedAt]));
  const last = before[0]?.updatedAt ?? "";
  return now.filter(({ id, updatedAt, readAt }) => readAt === null && updatedAt >= last && known.get(id) !== updatedAt).toReversed();
}
