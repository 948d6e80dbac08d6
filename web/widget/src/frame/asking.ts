// What the widget asks its visitors for, before or after the first message. Somebody who
// answered, or does not want to, is not asked again in this browser.
import { ApiError } from "./api";
import { persist, type Context } from "./context";
import { drawer, drawerName, type Drawer } from "./keep";
import type { Config } from "./types";

export interface Answer {
  name: string;
  email: string;
}

export class Asking {
  private readonly context: Context;
  private readonly done: Drawer<boolean>;

  constructor(context: Context) {
    this.context = context;
    this.done = drawer<boolean>("local", drawerName(context.inboxId, "", "asked"));
  }

  /** What is asked for in a conversation; id is null before the first message. */
  of(id: string | null): NonNullable<Config["ask"]> | null {
    const { config, customer, conversations, pending } = this.context.state;
    const ask = config?.ask;
    if (!ask || customer?.identified || this.context.session.returned || this.done.get() !== null) return null;
    const begun = conversations.length > 0 || pending.length > 0;
    return ask.when === "before" ? (begun ? null : ask) : id !== null && begun ? ask : null;
  }

  /** Whether nothing may be written before the answer. */
  holds(id: string | null): boolean {
    const ask = this.of(id);
    return ask !== null && ask.required && ask.when === "before";
  }

  async say({ name, email }: Answer) {
    await persist(() => this.context.session.ensure());
    const body = { ...(name !== "" && { name }), ...(email !== "" && { email }) };
    try {
      await this.context.ask("session/address", { method: "POST", body });
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 409) throw error; // 409: it is not asked any more, or was answered
    }
    this.skip();
  }

  skip() {
    this.done.set(true);
    this.context.set({});
  }

  /** Somebody else may use the browser now. */
  forget() {
    this.done.set(null);
  }
}
