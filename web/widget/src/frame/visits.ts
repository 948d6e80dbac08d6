// What the page says about its visitor, on its way to the server. Nobody is told of
// visitors before they write: the last visit waits for the first message.
import type { PageVisit } from "../protocol";
import { ApiError } from "./api";
import type { Context } from "./context";

/** The shortest time between two requests (ms). */
const pause = 5_000;

export class Visits {
  private readonly context: Context;
  private visit: PageVisit | null = null;
  /** The session and the visit that the server has, or refused. */
  private put = "";
  private resting = false;

  constructor(context: Context) {
    this.context = context;
    context.subscribe(() => this.tell());
  }

  heard({ page, title, referrer, facts }: PageVisit) {
    this.visit = { page, title: title.slice(0, 300), referrer, facts };
    this.tell();
  }

  private tell() {
    const { session, state } = this.context;
    if (!this.visit || this.resting || session.token === "" || state.conversations.length === 0) return;
    const key = session.token + JSON.stringify(this.visit);
    if (key === this.put) return;
    this.resting = true;
    setTimeout(() => {
      this.resting = false;
      this.tell();
    }, pause);
    const body = { ...this.visit, language: navigator.language, zone: Intl.DateTimeFormat().resolvedOptions().timeZone };
    this.context.ask("session/visit", { method: "PUT", body }).then(
      () => (this.put = key),
      (error: unknown) => {
        if (!(error instanceof ApiError) || error.passing) return;
        this.put = key;
        if (error.status === 400) this.context.problem(`"set" was refused: ${error.message}.`);
      },
    );
  }
}
