// The unread conversations of the member. Events add to them; this tab, and
// signals from the member's other tabs, remove from them; and the server sends
// all of them when signals may have been missed.
import { api } from "../api/client";
import type { Unread } from "../api/types";
import type { Cell } from "./cell";
import { ingestUnread } from "./ingest";
import { Draft, type State, type Unseen } from "./state";

interface Options {
  state: Cell<State>;
  /** The position of an answer as a number; null if it belongs to another history. */
  seqOf: (position: string) => number | null;
}

export class ReadMarks {
  private readonly options: Options;
  /** Counts the changes, to recognize an answer from before one. */
  private turns = 0;

  constructor(options: Options) {
    this.options = options;
  }

  /** Records that the member has read a conversation, or marked it as unread. */
  set(id: string, unread: Unseen) {
    this.turns++;
    const draft = new Draft(this.options.state.get());
    draft.map("unread").set(id, { value: unread, seq: draft.state.seq });
    this.options.state.set(draft.state);
  }

  /** Reads all of them from the server. */
  async load(): Promise<void> {
    const turn = this.turns;
    try {
      const { data, position } = await api.read<Unread>("/v1/dashboard/unread");
      if (turn !== this.turns) return await this.load();
      const seq = this.options.seqOf(position);
      if (seq !== null) this.options.state.update((state) => ingestUnread(state, data, seq));
    } catch {
      // Retried with the next connection.
    }
  }
}
