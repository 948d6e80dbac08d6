// Messages that the server does not have yet. They outlive the page and are
// sent in order, each one once.
import { backoff, pause } from "../../../shared/retry";
import { ApiError, faultText, pauses, upload } from "./api";
import type { Context } from "./context";
import type { Conversations } from "./conversations";
import type { Drafts } from "./drafts";
import type { Live } from "./live";
import { emptyLog, withConversation, withMessage, withPage, type Pending } from "./state";
import { phrase } from "./language";
import type { Attachment, Message, StartedConversation } from "./types";

export interface Parts {
  conversations: Conversations;
  drafts: Drafts;
  live: Live;
}

export class Outbox {
  private readonly context: Context;
  private readonly parts: Parts;
  private sending = false;

  constructor(context: Context, parts: Parts) {
    this.context = context;
    this.parts = parts;
  }

  /** Queues a message; it is sent as soon as possible, once. */
  send(conversationId: string | null, content: string, attachments: readonly Attachment[]) {
    this.parts.drafts.sent();
    this.keep([...this.context.state.pending, { key: newKey(), conversationId, content, attachments, fault: "" }]);
    void this.pump();
  }

  retry(key: string) {
    this.change(key, { fault: "" });
    void this.pump();
  }

  discard(key: string) {
    this.keep(this.context.state.pending.filter((one) => one.key !== key));
  }

  async upload(file: File, signal: AbortSignal, onProgress: (share: number) => void): Promise<Attachment> {
    await this.begin();
    return upload<Attachment>(file, this.context.session.token, signal, onProgress);
  }

  /** The visitor's conversations are out of reach, so the unsent messages start a new one. */
  cutLoose() {
    this.keep(this.context.state.pending.map((one) => ({ ...one, conversationId: null })));
  }

  /** Sends the queue one by one, which keeps the order. */
  async pump() {
    const { context } = this;
    if (this.sending || context.state.phase !== "ready") return;
    this.sending = true;
    try {
      for (let failures = 0; ; ) {
        const next = context.state.pending.find((one) => one.fault === "");
        // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- it changes while this waits
        if (!next || context.renewing || context.state.phase !== "ready") return;
        try {
          await this.begin();
          await this.post(next);
          failures = 0;
        } catch (error) {
          if (error instanceof ApiError && error.status === 401 && failures++ < 3) continue; // continues with the next session
          if (error instanceof ApiError && error.status === 404 && next.conversationId !== null) {
            this.change(next.key, { conversationId: null }); // the team deleted it, so the message starts a new one
            continue;
          }
          if (!(error instanceof ApiError) || !error.passing) {
            this.change(next.key, { fault: faultText(error) });
            continue;
          }
          if (error.status === 0) context.set({ line: navigator.onLine ? "waiting" : "offline" });
          await pause(Math.max(error.retryAfter, backoff(pauses, failures++)));
        }
      }
    } finally {
      this.sending = false;
    }
  }

  /** Creates the visitor's session when it is first needed. */
  private async begin() {
    const { context } = this;
    if (context.session.token !== "") return;
    if (context.renewing) throw new ApiError(0, phrase("faults.connecting"));
    await context.session.ensure();
    context.set({ customer: context.session.customer });
    this.parts.live.open();
  }

  private async post({ key, conversationId, content, attachments }: Pending) {
    const { context } = this;
    const body = { content, ...(attachments.length > 0 && { attachmentIds: attachments.map(({ id }) => id) }) };
    if (conversationId !== null) {
      const message = await context.ask<Message>(`conversations/${conversationId}/messages`, { method: "POST", body, key });
      context.set(withMessage(context.state, message, true));
      return this.discard(key);
    }
    const { conversation, message } = await context.ask<StartedConversation>("conversations", { method: "POST", body, key });
    const { id } = conversation;
    const log = withPage(context.state.threads[id] ?? emptyLog, { data: [message], has_more: false, next_cursor: "" }, true);
    context.set({ ...withConversation(context.state, conversation), threads: { ...context.state.threads, [id]: log } });
    // Messages written in the meantime belong to the same conversation.
    this.keep(context.state.pending.filter((one) => one.key !== key).map((one) => (one.conversationId === null ? { ...one, conversationId: id } : one)));
    this.parts.drafts.begun(id);
    const { view } = context.state;
    if (view.name === "thread" && view.id === null) this.parts.conversations.show({ name: "thread", id });
  }

  private change(key: string, to: Partial<Pending>) {
    this.keep(this.context.state.pending.map((one) => (one.key === key ? { ...one, ...to } : one)));
  }

  private keep(pending: readonly Pending[]) {
    this.context.set({ pending });
    this.context.tab.outbox.set(pending);
  }
}

/** A random key. Pages without TLS have no randomUUID. */
function newKey(): string {
  return (crypto as Partial<Crypto>).randomUUID?.() ?? Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
