// The customer's conversations: their state on the server, what has been read,
// and which one is open.
import type { Frame } from "../../../shared/sse";
import { ApiError, faultText } from "./api";
import type { Context } from "./context";
import type { Drafts } from "./drafts";
import { ping } from "./sound";
import { emptyLog, withConversation, withMessage, withPage, withSentence, withoutAnswer, type View } from "./state";
import type { Conversation, Message, Page, Sentence, Thread, Typing } from "./types";

/** A typing signal that is not renewed expires after this time (ms). */
const typingLife = 15_000;

export class Conversations {
  private readonly context: Context;
  private readonly drafts: Drafts;
  private readonly typingTimers = new Map<string, ReturnType<typeof setTimeout>>();
  private reading = false;

  constructor(context: Context, drafts: Drafts) {
    this.context = context;
    this.drafts = drafts;
    document.addEventListener("visibilitychange", () => void this.markRead());
  }

  show(view: View) {
    this.context.set({ view });
    this.context.tab.place.set(view);
    if (view.name === "thread" && view.id !== null) void this.load(view.id);
  }

  // ---- Changes from the server ----

  heard({ event, data }: Frame) {
    const { context } = this;
    const told = JSON.parse(data) as { data?: unknown };
    const body = told.data ?? told;
    if (event === "typing") return this.setTyping(body as Typing);
    if (event === "answering") return context.set(withSentence(context.state, body as Sentence));
    if (event === "conversation.updated") return this.changed(body as Conversation);
    if (event === "message.created") this.arrived(body as Message);
    else if (event === "message.updated") context.set(withMessage(context.state, body as Message, false));
  }

  private changed(conversation: Conversation) {
    const { context } = this;
    const state = conversation.agent === "answering" ? context.state : withoutAnswer(context.state, conversation.id);
    context.set(withConversation(state, conversation));
  }

  private arrived(message: Message) {
    const { context } = this;
    const id = message.conversationId;
    const { pending, sound, open, conversations } = context.state;
    if (message.from === "customer") {
      // Shown when the stream or the answer arrives, whichever is first.
      const waiting = pending.find((one) => one.fault === "" && !one.arrived && one.content === message.content && (one.conversationId ?? id) === id);
      if (waiting) context.set({ pending: pending.map((one) => (one === waiting ? { ...one, arrived: true } : one)) });
    } else if (message.from === "team") {
      this.setTyping({ conversationId: id, name: "", typing: false });
      context.set(withoutAnswer(context.state, id));
      if (sound && !(open && document.visibilityState === "visible")) ping();
    }
    const known = conversations.some((conversation) => conversation.id === id);
    context.set(withMessage(context.state, message, true));
    if (known) void this.markRead();
    else void this.refresh();
  }

  private setTyping({ conversationId, name, typing }: Typing) {
    clearTimeout(this.typingTimers.get(conversationId));
    const { [conversationId]: _, ...others } = this.context.state.typing;
    this.context.set({ typing: typing ? { ...others, [conversationId]: name } : others });
    if (typing)
      this.typingTimers.set(
        conversationId,
        setTimeout(() => this.setTyping({ conversationId, name, typing: false }), typingLife),
      );
  }

  // ---- Reading ----

  /** Reads the conversations, and the messages of the open one. */
  async refresh() {
    const { context } = this;
    if (context.session.token === "") return;
    const { view } = context.state;
    try {
      const page = await context.ask<Page<Conversation>>("conversations");
      const { state } = context;
      const untouched = view.name === "thread" && view.id === null && state.pending.length === 0 && this.drafts.of(null) === "";
      const next: View = !state.loaded && untouched && page.data.length > 0 ? { name: "home" } : state.view;
      context.set({ conversations: page.data, moreConversations: page.next_cursor, loaded: true, view: next });
      if (next.name === "thread" && next.id !== null) await this.load(next.id);
    } catch {
      return; // the connection retries, and refreshes when it succeeds
    }
  }

  async loadMore() {
    const { context } = this;
    const page = await context.ask<Page<Conversation>>(`conversations?cursor=${encodeURIComponent(context.state.moreConversations)}`);
    const known = new Set(context.state.conversations.map(({ id }) => id));
    context.set({ conversations: [...context.state.conversations, ...page.data.filter(({ id }) => !known.has(id))], moreConversations: page.next_cursor });
  }

  /** Reads the newest messages of a conversation, or those before the oldest known one. */
  async load(id: string, older = false) {
    const { context } = this;
    const here = () => context.state.threads[id] ?? emptyLog;
    const put = (log: typeof emptyLog) => context.set({ threads: { ...context.state.threads, [id]: log } });
    const cursor = older ? `?messages_cursor=${encodeURIComponent(here().older)}` : "";
    put({ ...here(), fault: "" });
    try {
      const { messages, ...conversation } = await context.ask<Thread>(`conversations/${id}${cursor}`);
      context.set(withConversation(context.state, conversation));
      put(withPage(here(), messages, !older));
      void this.markRead();
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return; // another session starts
      if (error instanceof ApiError && error.status === 404) return this.forget(id);
      put({ ...here(), fault: faultText(error) });
    }
  }

  /** Asks for a person instead of the automated agent. */
  askForPerson(id: string) {
    return this.tell(`conversations/${id}/person`);
  }

  /** Says that an answer of the automated agent helped. */
  helped({ conversationId, id }: Message) {
    return this.tell(`conversations/${conversationId}/messages/${id}/helped`);
  }

  private async tell(path: string) {
    const conversation = await this.context.ask<Conversation>(path, { method: "POST" });
    this.context.set(withConversation(withoutAnswer(this.context.state, conversation.id), conversation));
  }

  /** Leaves a conversation that the team deleted. */
  private forget(id: string) {
    const { [id]: _, ...threads } = this.context.state.threads;
    this.context.set({ threads, conversations: this.context.state.conversations.filter((one) => one.id !== id) });
    const { view } = this.context.state;
    if (view.name === "thread" && view.id === id) this.show({ name: "home" });
  }

  /** Reports that the customer has seen the open conversation. */
  async markRead() {
    const { context } = this;
    const { view, open } = context.state;
    if (this.reading || !open || document.visibilityState !== "visible" || view.name !== "thread" || this.unreadIn(view.id) === 0) return;
    this.reading = true;
    try {
      const conversation = await context.ask<Conversation>(`conversations/${view.id}/read`, { method: "POST" });
      context.set(withConversation(context.state, conversation));
    } catch {
      return; // retried with the next message or when the page is visible again
    } finally {
      this.reading = false;
    }
    // Messages that arrived in the meantime have been seen too.
    if (this.unreadIn(view.id) > 0) void this.markRead();
  }

  private unreadIn(id: string | null): number {
    return this.context.state.conversations.find((conversation) => conversation.id === id)?.unreadCount ?? 0;
  }
}
