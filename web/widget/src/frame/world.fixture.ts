// A browser and a server for the tests of the chat: enough of window, document
// and the storages, and a server with simple rules that can be taken down.
import { vi } from "vitest";
import english from "../../../../internal/words/chat/en.json";
import type { ToTag } from "../protocol";
import { Chat } from "./chat";
import type { Config, Conversation, Message } from "./types";

export interface Asked {
  method: string;
  path: string;
  token: string;
  key: string;
  body: Record<string, unknown>;
}

class Shelf {
  private readonly kept = new Map<string, string>();
  getItem = (name: string) => this.kept.get(name) ?? null;
  setItem = (name: string, text: string) => void this.kept.set(name, text);
  removeItem = (name: string) => void this.kept.delete(name);
}

export class World {
  /** Every request, in order. */
  readonly asked: Asked[] = [];
  /** What the tag received. */
  readonly told: ToTag[] = [];
  /** Answers before the rules, unless it returns nothing. */
  before: (asked: Asked) => Response | Promise<Response> | undefined = () => undefined;
  config: Config = {
    inboxId: "i",
    name: "Shop",
    title: "Shop",
    greeting: "",
    replyTime: "",
    color: "#123456",
    position: "right",
    identity: "optional",
    team: [],
    articles: false,
    ask: null,
    texts: {},
    upcoming: null,
  };
  /** Sessions by their tokens. */
  readonly sessions = new Map<string, { id: string; identified: boolean }>();
  readonly conversations = new Map<string, { owner: string; messages: Message[] }>();
  private readonly replies = new Map<string, unknown>();
  private readonly streams: { token: string; push: (text: string) => void }[] = [];
  private next = 1;

  constructor() {
    vi.stubGlobal("window", Object.assign(new EventTarget(), { parent: null }));
    vi.stubGlobal("document", Object.assign(new EventTarget(), { visibilityState: "visible" }));
    vi.stubGlobal("navigator", { onLine: true, languages: ["en"] });
    vi.stubGlobal("localStorage", new Shelf());
    vi.stubGlobal("sessionStorage", new Shelf());
    vi.stubGlobal("fetch", (url: string, init: RequestInit) => this.fetch(url, init));
  }

  /** Opens a page with the frame, with the chat open. */
  async open(identity: string | null = null, page = "https://shop.example"): Promise<Chat> {
    const chat = new Chat("i");
    await chat.start({ send: (message) => void this.told.push(message) }, { open: true, identity, languages: [] }, page);
    return chat;
  }

  posts(path: RegExp): Asked[] {
    return this.asked.filter((one) => one.method === "POST" && path.test(one.path));
  }

  problems(): string[] {
    return this.told.flatMap((message) => (message.type === "problem" ? [message.text] : []));
  }

  /** The team replies; the customer's streams deliver it. */
  answer(conversationId: string, content: string): Message {
    const message = this.insert(conversationId, content, "team");
    this.tell(conversationId, "message.created", message);
    return message;
  }

  /** The customer reads the conversation in another window. */
  readElsewhere(conversationId: string) {
    const own = this.conversations.get(conversationId);
    if (own) own.messages = own.messages.map((message) => ({ ...message, status: "read" }));
    this.tell(conversationId, "conversation.updated", this.read(conversationId));
  }

  private tell(conversationId: string, event: string, data: unknown) {
    const { owner } = this.conversations.get(conversationId) ?? { owner: "" };
    for (const { token, push } of this.streams) {
      if (this.sessions.get(token)?.id === owner) push(`id: e.${this.next}\nevent: ${event}\ndata: ${JSON.stringify({ data })}\n\n`);
    }
  }

  /** Returns when no request is in flight: a later answer would find no browser. */
  async end() {
    this.before = () => new Response("{}", { status: 404 });
    let quiet = 0;
    for (let asked = this.asked.length; quiet < 3; asked = this.asked.length) {
      await new Promise((resolve) => setTimeout(resolve));
      quiet = asked === this.asked.length ? quiet + 1 : 0;
    }
    vi.unstubAllGlobals();
  }

  private async fetch(url: string, init: RequestInit): Promise<Response> {
    if (url.startsWith("/widget/assets/text.")) return Response.json(english);
    const headers = new Headers(init.headers);
    const asked: Asked = {
      method: init.method ?? "GET",
      path: url.replace("/v1/widget/", ""),
      token: (headers.get("Authorization") ?? "").replace("Bearer ", ""),
      key: headers.get("Idempotency-Key") ?? "",
      body: typeof init.body === "string" ? (JSON.parse(init.body) as Record<string, unknown>) : {},
    };
    this.asked.push(asked);
    return (await this.before(asked)) ?? this.rule(asked, init.signal ?? null);
  }

  /** The server's own answer. Tests call it to let a request take effect and lose the answer. */
  rule(asked: Asked, signal: AbortSignal | null = null): Response {
    const { method, path, token, body, key } = asked;
    const session = this.sessions.get(token);
    if (path.startsWith("inboxes/")) return Response.json(this.config);
    if (path === "sessions") return this.begin(body);
    if (!session) return Response.json({ error: "the session has ended" }, { status: 401 });
    if (path.startsWith("events")) return this.stream(token, signal);
    if (path === "session") {
      if (method === "DELETE") this.sessions.delete(token);
      return Response.json(method === "DELETE" ? { ended: 1 } : { customer: { name: "", email: "", ...session }, expiresAt: "" });
    }
    if (key !== "" && this.replies.has(key)) return Response.json(this.replies.get(key), { status: 201 });
    const answer = this.talk(asked, session.id);
    if (!answer) return Response.json({ error: "no such conversation" }, { status: 404 });
    if (key !== "") this.replies.set(key, answer);
    return Response.json(answer, { status: method === "POST" ? 201 : 200 });
  }

  private talk({ method, path, body }: Asked, owner: string): unknown {
    const [, id, rest] = path.replace(/\?.*/, "").split("/");
    if (id === undefined && method === "GET") {
      return { data: [...this.conversations].filter(([, one]) => one.owner === owner).map(([own]) => this.read(own)), has_more: false, next_cursor: "" };
    }
    if (id === undefined) {
      const made = `c${this.next++}`;
      this.conversations.set(made, { owner, messages: [] });
      const message = this.insert(made, String(body["content"]), "customer");
      return { conversation: this.read(made), message };
    }
    const own = this.conversations.get(id);
    if (own?.owner !== owner) return null;
    if (rest === "messages") return this.insert(id, String(body["content"]), "customer");
    if (rest === "read") own.messages = own.messages.map((message) => ({ ...message, status: "read" }));
    if (rest !== undefined) return this.read(id);
    return { ...this.read(id), messages: { data: own.messages, has_more: false, next_cursor: "" } };
  }

  private begin(body: Record<string, unknown>): Response {
    const identity = body["identity"];
    if (identity === "refused") return Response.json({ error: "the identity was not accepted" }, { status: 401 });
    const session = typeof identity === "string" ? { id: `contact of ${identity}`, identified: true } : { id: `visitor ${this.next++}`, identified: false };
    const visitor = this.sessions.get(String(body["visitor"]));
    if (visitor) {
      this.sessions.delete(String(body["visitor"]));
      for (const one of this.conversations.values()) if (one.owner === visitor.id) one.owner = session.id;
    }
    const token = `cs_${this.next++}`;
    this.sessions.set(token, session);
    return Response.json({ token, customer: { name: "", email: "", ...session }, expiresAt: "" }, { status: 201 });
  }

  private insert(conversationId: string, content: string, from: "team" | "customer"): Message {
    const number = this.next++;
    const message: Message = {
      id: `m${String(number).padStart(4, "0")}`,
      conversationId,
      content,
      contentType: "text",
      from,
      sender: { name: "Ann", image: "" },
      status: "sent",
      attachments: [],
      agent: null,
      createdAt: new Date(Date.UTC(2026, 10, 21) + number * 1000).toISOString(),
    };
    this.conversations.get(conversationId)?.messages.push(message);
    return message;
  }

  private read(id: string): Conversation {
    const messages = this.conversations.get(id)?.messages ?? [];
    const last = messages.at(-1) ?? null;
    const unreadCount = messages.filter((message) => message.from === "team" && message.status !== "read").length;
    return { id, status: "open", unreadCount, agent: "off", lastMessage: last, lastActivityAt: last?.createdAt ?? "", createdAt: messages[0]?.createdAt ?? "" };
  }

  private stream(token: string, signal: AbortSignal | null): Response {
    const encoder = new TextEncoder();
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        const own = { token, push: (text: string) => controller.enqueue(encoder.encode(text)) };
        this.streams.push(own);
        signal?.addEventListener("abort", () => {
          this.streams.splice(this.streams.indexOf(own), 1);
          controller.error(new DOMException("ended", "AbortError"));
        });
      },
    });
    return new Response(body, { status: 200 });
  }
}
