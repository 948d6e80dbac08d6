import { api } from "../api/client";

/** Where the member is, and whether they write there. */
export interface Here {
  conversationId: string | null;
  typing: boolean;
  isPrivate: boolean;
}

/** Who goes through conversations one by one is told of where they stop. */
const rest = 300;

/** Tells the others where the member is. */
export class Teller {
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** After a rest, unless something else is told before. */
  soon(here: Here) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.now(here), rest);
  }

  now(here: Here) {
    clearTimeout(this.timer);
    // Presence is a courtesy; nothing depends on it.
    api.post("/v1/dashboard/presence", here).catch(() => undefined);
  }
}
