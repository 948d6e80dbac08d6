// What the member has read. An event adds to it; this tab, and by signals the
// member's others, take from it; the server says all of it where that may have
// been missed.
import { api } from "../api/client";
import type { Unread } from "../api/types";
import type { Cell } from "./cell";
import { ingestUnread } from "./ingest";
import { Draft, type State, type Unseen } from "./state";

interface Options {
  state: Cell<State>;
  /** The position of an answer as a number; null where it belongs to another history. */
  seqOf: (position: string) => number | null;
}

export class ReadMarks {
  private readonly options: Options;
  /** Counts the changes, so that an answer from before one is known. */
  private turns = 0;

  constructor(options: Options) {
    this.options = options;
  }

  /** Notes that the member has read a conversation, or wants to come back to it. */
  set(id: string, unread: Unseen) {
    this.turns++;
    const draft = new Draft(this.options.state.get());
    draft.map("unread").set(id, { value: unread, seq: draft.state.seq });
    this.options.state.set(draft.state);
  }

  /** Asks the server for all of it. */
  async load(): Promise<void> {
    const turn = this.turns;
    try {
      const { data, position } = await api.read<Unread>("/v1/dashboard/unread");
      if (turn !== this.turns) return await this.load();
      const seq = this.options.seqOf(position);
      if (seq !== null) this.options.state.update((state) => ingestUnread(state, data, seq));
    } catch {
      // The next line tries again.
    }
  }
}
