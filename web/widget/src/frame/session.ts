// Who the customer is to the server. Three cases:
//
//   - nobody yet: nothing is made on the server until the first message;
//   - a visitor: the session is kept in the browser and found again;
//   - identified: the page named the customer by a signed identity. That session
//     is kept too, but used again only when the page names the same identity:
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
  private page = "";
  private readonly inboxId: string;
  private kept;
  private making: Promise<void> | null = null;

  constructor(inboxId: string) {
    this.inboxId = inboxId;
    this.kept = drawer<Kept>("local", drawerName(inboxId, ""));
  }

  /**
   * The origin of the page around the frame. What is kept is of that page alone:
   * another one, which names whom it likes, must not be given the visitor. The
   * server tells it to the company's developers where an identity is refused.
   */
  in(page: string) {
    this.page = page;
    this.kept = drawer<Kept>("local", drawerName(this.inboxId, page));
  }

  /** Finds the visitor's session again; without one nothing happens. */
  async resume(): Promise<void> {
    const { visitor } = this.kept.get() ?? {};
    if (visitor) await this.take(visitor, () => this.change({ visitor: undefined }));
  }

  /** Makes a visitor's session where there is none. */
  ensure(): Promise<void> {
    if (this.token) return Promise.resolve();
    this.making ??= this.exchange({ inboxId: this.inboxId })
      .then((token) => this.change({ visitor: token }))
      .finally(() => (this.making = null));
    return this.making;
  }

  /** Exchanges a signed identity; the visitor's conversations come along. Throws ApiError 401 where it is refused. */
  async identify(identity: string): Promise<void> {
    await this.making?.catch(() => undefined);
    const { visitor, identified } = this.kept.get() ?? {};
    const print = fingerprint(identity);
    // Who wrote as a visitor since brings that along; and an identity whose time
    // is up is for the server to refuse.
    if (!visitor && identified?.print === print && !isOver(identity, Date.now()) && (await this.take(identified.token, () => this.change({ identified: undefined })))) return;
    const token = await this.exchange({ inboxId: this.inboxId, identity, ...(visitor && { visitor }) });
    this.change({ visitor: undefined, identified: { token, print } });
  }

  /** Forgets the session that the server does not know any more. */
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
    if (token) await ask("session", token, { method: "DELETE" }).catch(() => undefined); // it ends by itself
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
 * Says whether two identities tell the same: the claims without the times. Each
 * page of a shop may carry a token of its own, and need not make a session each.
 * It proves nothing; the session that it finds again was vouched for before.
 */
export function fingerprint(identity: string): string {
  let claims = identity;
  const told = claimsOf(identity);
  if (told) {
    const { iat: _i, nbf: _n, exp: _e, jti: _j, ...rest } = told;
    claims = JSON.stringify(rest);
  }
  // Two sums of 32 bits (FNV-1a): names do not belong into the storage as text.
  let [a, b] = [0x811c9dc5, 0x1000193];
  for (let i = 0; i < claims.length; i++) {
    a = Math.imul(a ^ claims.charCodeAt(i), 0x01000193);
    b = Math.imul(b ^ claims.charCodeAt(claims.length - 1 - i), 0x01000193);
  }
  return `${(a >>> 0).toString(36)}.${(b >>> 0).toString(36)}.${claims.length}`;
}

/** Whether the identity says that its time is up. */
function isOver(identity: string, now: number): boolean {
  const end = claimsOf(identity)?.["exp"];
  return typeof end === "number" && end * 1000 <= now;
}

/** What a token says; null where it is none, which the server will say. */
function claimsOf(identity: string): Record<string, unknown> | null {
  try {
    const bytes = Uint8Array.from(atob((identity.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));
    const claims = JSON.parse(new TextDecoder().decode(bytes)) as unknown;
    return typeof claims === "object" ? (claims as Record<string, unknown> | null) : null;
  } catch {
    return null;
  }
}
