import { api } from "../api/client";

/** Where the member is, and whether they are typing there. */
export interface Here {
  conversationId: string | null;
  typing: boolean;
  isPrivate: boolean;
}

/** How long the member must stay before others are told (ms), so that passing through conversations is not reported. */
const rest = 300;

/** Tells other members where this one is. */
export class Teller {
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** Reports after a pause, unless there is another report before. */
  soon(here: Here) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.now(here), rest);
  }

  now(here: Here) {
    clearTimeout(this.timer);
    // Presence is optional; nothing depends on it.
    api.post("/v1/dashboard/presence", here).catch(() => undefined);
  }
}
