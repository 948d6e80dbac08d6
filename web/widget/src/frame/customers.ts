// Who uses the chat: a visitor, or the customer whom the page identifies. Each
// change clears everything of the previous one.
import { ApiError } from "./api";
import { inkOn } from "../../../shared/ink";
import { persist, type Context } from "./context";
import { explain } from "./diagnose";
import type { Drafts } from "./drafts";
import { phrase } from "./language";
import type { Live } from "./live";
import type { Outbox } from "./outbox";
import { firstState, startView } from "./state";

export interface Parts {
  drafts: Drafts;
  live: Live;
  outbox: Outbox;
}

export class Customers {
  private readonly context: Context;
  private readonly parts: Parts;
  /** The identity that the page provided; "" for none. */
  private identity = "";
  /** Changes of the customer run one after another. */
  private changing: Promise<void> = Promise.resolve();

  constructor(context: Context, parts: Parts) {
    this.context = context;
    this.parts = parts;
    context.onLost = () => this.lost();
  }

  async asVisitor() {
    const { state, session } = this.context;
    if (state.config?.identity === "required") {
      this.context.set({ phase: "closed" });
      return this.look();
    }
    await persist(() => session.resume()).catch(() => undefined);
    if (session.returned && session.token === "") this.context.set({ phase: "closed" });
    else this.enter();
  }

  /** The page identifies the customer. */
  identify(identity: string): Promise<void> {
    this.identity = identity;
    return this.change(() => this.take(identity));
  }

  logout(): Promise<void> {
    this.identity = "";
    this.leave();
    this.parts.drafts.forget();
    return this.change(async () => {
      await this.context.session.end();
      await this.asVisitor();
    });
  }

  /** The session has ended. An identified customer signs in again with the same identity, once. */
  lost() {
    const { session, renewing } = this.context;
    if (renewing) return; // it ends because a new one starts
    const { identity } = this;
    const identified = session.customer?.identified ?? false;
    this.parts.live.close();
    session.lost();
    if (!identified) {
      this.parts.outbox.cutLoose();
      return session.returned ? void this.asVisitor() : this.enter();
    }
    void this.change(async () => {
      try {
        if (identity === "") return this.expired();
        await persist(() => session.identify(identity));
        this.enter();
      } catch {
        this.expired();
      }
    });
  }

  private async take(identity: string) {
    const { context } = this;
    const { session } = context;
    if (identity !== this.identity) return; // the page has provided another identity since
    if (context.state.config?.identity === "off") {
      context.problem("the identity was ignored: this inbox takes none (Settings, Inboxes, Widget).");
      if (context.state.phase !== "ready") await this.asVisitor();
      return;
    }
    const { token } = session;
    try {
      await persist(() => (identity === this.identity ? session.identify(identity) : Promise.resolve()));
      if (identity !== this.identity) return;
      context.tell({ type: "identity", state: "accepted" });
      // Each page of a shop identifies its customer, which mostly changes nothing.
      if (session.token !== token || context.state.phase !== "ready") this.enter();
    } catch (error) {
      await this.refused(identity, error);
    }
  }

  private async refused(identity: string, error: unknown) {
    const { context } = this;
    const { session } = context;
    const unauthorized = error instanceof ApiError && error.status === 401;
    context.problem(`the identity was not accepted. ${unauthorized ? explain(identity, Date.now()) : `The server said: ${error instanceof Error ? error.message : String(error)}`}`);
    context.tell({ type: "identity", state: "refused" });
    if (this.identity === identity) this.identity = "";
    // The previous customer is not the one whom the page identifies.
    if (session.customer?.identified) {
      this.leave();
      session.lost();
    }
    if (context.state.phase !== "ready" || session.token === "") await this.asVisitor();
  }

  private expired() {
    this.identity = "";
    this.context.problem('the session has ended and the identity is not valid any more; call Parley("identify", …) with a new one.');
    this.context.tell({ type: "identity", state: "expired" });
    this.leave();
    void this.asVisitor();
  }

  private change(work: () => Promise<void>): Promise<void> {
    this.changing = this.changing.then(async () => {
      this.context.renewing = true;
      try {
        await work();
      } finally {
        this.context.renewing = false;
        void this.parts.outbox.pump();
      }
    });
    return this.changing;
  }

  /** Enters the chat with the present session, or without one. */
  private enter() {
    const { context } = this;
    const { token, customer } = context.session;
    this.parts.live.close();
    const before = context.tab.person.get();
    if (before?.identified && before.id !== customer?.id) {
      // Unsent messages of one customer are not shown to another. A visitor who
      // is identified remains the same person.
      this.leave();
      this.parts.drafts.forget();
    }
    context.tab.person.set(customer && { id: customer.id, identified: customer.identified });
    const same = customer !== null && customer.id === context.state.customer?.id;
    const nobody = token === "";
    const view = nobody || context.state.view === firstState.view ? startView(context.state, this.parts.drafts.of(null)) : context.state.view;
    context.set({ phase: "ready", customer, threads: {}, loaded: nobody, ...(!same && { conversations: [] }), ...(nobody && { line: "idle" as const }), view });
    this.look();
    if (!nobody) this.parts.live.open();
    void this.parts.outbox.pump();
  }

  private leave() {
    const { context } = this;
    this.parts.live.close();
    context.tab.outbox.set(null);
    context.tab.place.set(null);
    const { config, open, sound, tongue } = context.state;
    context.set({ ...firstState, config, open, sound, tongue });
  }

  /** Tells the tag how to draw its button, and its words. */
  look() {
    const { config, phase, tongue } = this.context.state;
    if (!config || !tongue) return;
    const { color, position } = config;
    const title = config.title || config.name;
    this.context.tell({
      ...{ type: "look", title, color, ink: inkOn(color), position, shown: phase === "ready" },
      ...{ language: tongue.language, open: phrase("open", { title }), close: phrase("close", { title }) },
    });
    this.context.tellUnread();
  }
}
