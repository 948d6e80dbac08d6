// The saved views that the member has, and how many conversations they have. The server is asked again when an event
// or a signal tells of a change of a view or of a team, and when the page was hidden for a while.
import { api, ApiError } from "../api/client";
import type { List, LogEvent, SavedView, ViewCount } from "../api/types";
import { readStored, writeStored } from "../kit/stored";
import { createCell } from "./cell";
import type { Signal } from "./line";

/** Where an earlier version kept the views of a browser. */
const formerKey = "parley.views";
/** The least time between two counts (ms). */
const countPause = 5000;
/** The views are read again when the page was not visible and the last read is older (ms). */
const oldAge = 60_000;

/** What the views listen to. */
interface Heard {
  onSignal: (listener: (name: Signal) => void) => () => void;
}

export class SavedViews {
  /** The member's own views, then those of teams and of everybody. */
  readonly all = createCell<readonly SavedView[]>([]);
  /** How many conversations the pinned views have, as far as they were counted. */
  readonly counts = createCell<ReadonlyMap<string, number>>(new Map());
  private loading: Promise<void> | null = null;
  private stale = false;
  private readAt = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private countedAt = 0;
  private counting = false;
  private due = false;
  private ended = false;
  private moving = false;
  /** The former views that the server has refused: they are not offered again until the page is loaded anew. */
  private readonly refused = new Set<string>();

  /** Follows the signals of the stream and the visibility of the page until the returned function is called. */
  start(heard: Heard): () => void {
    const change = () => {
      if (document.hidden) return;
      if (Date.now() - this.readAt > oldAge) void this.load();
      if (this.due) this.countSoon();
    };
    document.addEventListener("visibilitychange", change);
    const deafen = heard.onSignal((name) => name === "view" && void this.load()); // of the member's own views the log does not tell
    void this.load();
    return () => {
      this.ended = true;
      document.removeEventListener("visibilitychange", change);
      deafen();
      clearTimeout(this.timer);
    };
  }

  saw(event: LogEvent) {
    if (event.type.startsWith("view.") || event.type === "team.updated") void this.load();
    else if (mayMove(event)) this.countSoon();
  }

  /** Reads the views, once more if they change meanwhile. */
  load(): Promise<void> {
    this.stale = true;
    this.loading ??= this.read();
    return this.loading;
  }

  private async read() {
    while (this.stale) {
      this.stale = false;
      let data: readonly SavedView[];
      try {
        data = (await api.get<List<SavedView>>("/v1/dashboard/views")).data;
      } catch {
        this.loading = null;
        return; // retried with the next connection
      }
      // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- it changed while the server answered
      if (this.stale) continue;
      this.readAt = Date.now();
      this.all.set(data);
    }
    this.loading = null;
    this.countSoon(0);
    void this.takeFormer();
  }

  /** Adds a view, or shows its change. */
  async save(view: Pick<SavedView, "name" | "query" | "scope"> & { teamId?: string; pinned?: boolean }): Promise<void> {
    await api.post<SavedView>("/v1/dashboard/views", view);
    await this.load();
  }

  async change(id: string, change: Partial<Pick<SavedView, "name" | "pinned">>): Promise<void> {
    await api.patch<SavedView>(`/v1/dashboard/views/${id}`, change);
    await this.load();
  }

  async remove(id: string): Promise<void> {
    await api.delete<SavedView>(`/v1/dashboard/views/${id}`);
    await this.load();
  }

  /**
   * Moves the views that an earlier version kept in this browser to the server. Each stays here until the server has it,
   * and the server adds none twice, so nothing is lost or doubled when a request fails, or a tab is closed, or two tabs
   * do it. What remains is tried again when the views are read again.
   */
  private async takeFormer() {
    if (this.moving) return;
    this.moving = true;
    let moved = false;
    try {
      for (const view of former()) {
        if (this.ended || !isFormer(view) || this.refused.has(keyOf(view))) continue;
        await this.take(view);
        moved = true;
      }
    } catch {
      // The rest waits for the next time.
    }
    this.moving = false;
    if (moved) await this.load();
  }

  private async take(view: FormerView) {
    try {
      await api.post<SavedView>("/v1/dashboard/views", { name: view.name.trim(), query: view.query.replace(/^\?/, "") });
    } catch (error) {
      if (!(error instanceof ApiError) || error.passing || error.status === 401) throw error;
      this.refused.add(keyOf(view));
      return;
    }
    const rest = former().filter((one) => keyOf(one) !== keyOf(view));
    writeStored(formerKey, rest.length === 0 ? null : JSON.stringify(rest));
  }

  /** Counts after a pause, at most once in five seconds, and only while the page is visible. */
  countSoon(after = 1000) {
    if (this.ended || this.timer !== undefined || !this.all.get().some(({ pinned }) => pinned)) return;
    this.timer = setTimeout(
      () => {
        this.timer = undefined;
        this.due = document.hidden || this.counting;
        if (!this.due) void this.count();
      },
      Math.max(after, this.countedAt + countPause - Date.now()),
    );
  }

  private async count() {
    this.counting = true;
    this.countedAt = Date.now();
    try {
      const { data } = await api.get<List<ViewCount>>("/v1/dashboard/view-counts");
      this.counts.set(new Map(data.map(({ id, count }) => [id, count])));
    } catch {
      // The old counts stay, and the next change retries.
    }
    this.counting = false;
    if (this.due && !document.hidden) this.countSoon();
  }
}

/** Whether the event may change which conversations a view has. That one is read does not. */
function mayMove({ type, changed }: LogEvent): boolean {
  if (type === "conversation.updated") return changed.some((name) => name !== "unreadCount");
  return type.startsWith("conversation.") || type === "message.created" || type === "contact.updated" || type === "contact.merged";
}

interface FormerView {
  name: string;
  query: string;
}

const keyOf = ({ name, query }: FormerView) => JSON.stringify([name, query]);
/** Another tab may have moved it meanwhile. */
const isFormer = (view: FormerView) => former().some((one) => keyOf(one) === keyOf(view));

function former(): readonly FormerView[] {
  try {
    const list: unknown = JSON.parse(readStored(formerKey) ?? "[]");
    if (!Array.isArray(list)) return [];
    return list.filter((one: Partial<FormerView> | null): one is FormerView => typeof one?.name === "string" && typeof one.query === "string");
  } catch {
    return [];
  }
}
