// The customer's session. There are three cases:
//
//   - none yet: nothing is created on the server until the first message;
//   - a visitor: the session is stored in the browser and restored;
//   - identified: the page provided a signed identity. That session is stored
//     too, but restored only if the page provides the same identity: a customer
//     who signs out of the shop must not leave the conversations to the next
//     person at the machine.
import { ApiError, ask } from "./api";
import { drawer, drawerName } from "./keep";
import type { Customer, CustomerSession, StartedSession } from "./types";

interface Kept {
  visitor?: string;
  identified?: { token: string; print: string };
}

export class Session {
  token = "";
  customer: Customer | null = null;
  /** Whether a link in a mail began the session, which sees one conversation. */
  returned = false;
  private page = "";
  private readonly inboxId: string;
  private kept;
  private making: Promise<void> | null = null;

  constructor(inboxId: string) {
    this.inboxId = inboxId;
    this.kept = drawer<Kept>("local", drawerName(inboxId, ""));
  }

  /**
   * The origin of the surrounding page. Stored values belong to that page alone: another one, which may name any
   * customer, must not be given the visitor. If an identity is refused, the server tells the company's developers this
   * origin.
   */
  in(page: string) {
    this.page = page;
    this.kept = drawer<Kept>("local", drawerName(this.inboxId, page));
  }

  /** The session of a link in a mail. It is stored for this tab, and no other one begins here. */
  returns(token: string) {
    this.kept = drawer<Kept>("session", drawerName(this.inboxId, this.page));
    this.returned = true;
    if (token !== "") this.change({ visitor: token });
  }

  /** Restores the visitor's session, if there is one. */
  async resume(): Promise<void> {
    const { visitor } = this.kept.get() ?? {};
    if (visitor) await this.take(visitor, () => this.change({ visitor: undefined }));
  }

  /** Creates a visitor's session unless there is one. */
  ensure(): Promise<void> {
    if (this.token) return Promise.resolve();
    this.making ??= this.exchange({ inboxId: this.inboxId })
      .then((token) => this.change({ visitor: token }))
      .finally(() => (this.making = null));
    return this.making;
  }

  /**
   * Exchanges a signed identity; the visitor's conversations are carried over. Throws ApiError 401 if it is refused.
   */
  async identify(identity: string): Promise<void> {
    await this.making?.catch(() => undefined);
    const { visitor, identified } = this.kept.get() ?? {};
    const print = fingerprint(identity);
    // A customer who has written as a visitor since carries that over, and
    // refusing an expired identity is up to the server.
    if (!visitor && identified?.print === print && !isOver(identity, Date.now()) && (await this.take(identified.token, () => this.change({ identified: undefined })))) return;
    const token = await this.exchange({ inboxId: this.inboxId, identity, ...(visitor && { visitor }) });
    this.change({ visitor: undefined, identified: { token, print } });
  }

  /** Drops the session that the server no longer knows. */
  lost(): void {
    const kept = this.kept.get() ?? {};
    this.change({ ...(kept.visitor === this.token && { visitor: undefined }), ...(kept.identified?.token === this.token && { identified: undefined }) });
    this.token = "";
    this.customer = null;
  }

  /** Ends the session, here and on the server. */
  async end(): Promise<void> {
    const token = this.token;
    this.token = "";
    this.customer = null;
    this.kept.set(null);
    if (token) await ask("session", token, { method: "DELETE" }).catch(() => undefined); // it expires on its own
  }

  private async exchange(body: object): Promise<string> {
    const made = await ask<StartedSession>("sessions", "", { method: "POST", body: { ...body, ...(this.page && { page: this.page }) } });
    this.token = made.token;
    this.customer = made.customer;
    return this.token;
  }

  private async take(token: string, gone: () => void): Promise<boolean> {
    try {
      this.customer = (await ask<CustomerSession>("session", token)).customer;
      this.token = token;
      return true;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error;
      gone();
      return false;
    }
  }

  private change(to: { [name in keyof Kept]?: Kept[name] | undefined }) {
    this.kept.set({ ...this.kept.get(), ...to });
  }
}

/**
 * A fingerprint of the claims without the times. Each page of a shop may carry a new token for the same customer, which
 * does not need a new session. It proves nothing: the session that it restores was verified before.
 */
export function fingerprint(identity: string): string {
  let claims = identity;
  const told = claimsOf(identity);
  if (told) {
    const { iat: _i, nbf: _n, exp: _e, jti: _j, ...rest } = told;
    claims = JSON.stringify(rest);
  }
  // Two 32-bit hashes (FNV-1a), because names must not be stored as plain text.
  let [a, b] = [0x811c9dc5, 0x1000193];
  for (let i = 0; i < claims.length; i++) {
    a = Math.imul(a ^ claims.charCodeAt(i), 0x01000193);
    b = Math.imul(b ^ claims.charCodeAt(claims.length - 1 - i), 0x01000193);
  }
  return `${(a >>> 0).toString(36)}.${(b >>> 0).toString(36)}.${claims.length}`;
}

/** Whether the identity has expired by its own claims. */
function isOver(identity: string, now: number): boolean {
  const end = claimsOf(identity)?.["exp"];
  return typeof end === "number" && end * 1000 <= now;
}

/** The claims of a token; null if it is not one, which the server will report. */
function claimsOf(identity: string): Record<string, unknown> | null {
  try {
    const bytes = Uint8Array.from(atob((identity.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));
    const claims = JSON.parse(new TextDecoder().decode(bytes)) as unknown;
    return typeof claims === "object" ? (claims as Record<string, unknown> | null) : null;
  } catch {
    return null;
  }
}
