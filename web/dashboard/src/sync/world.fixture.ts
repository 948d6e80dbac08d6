// Records for the tests of this folder.
import type { Company, Contact, Conversation, EventOf, ListedConversation, LogEvent, Member, Message, Notice, Page, WorkspaceState } from "../api/types";
import { initialState, type State } from "./state";

/** The n-th second of a day. */
export function time(n: number): string {
  return new Date(Date.UTC(2026, 10, 20, 9, 0, n)).toISOString();
}

export function conversation(id: string, at: number, more: Partial<Conversation> = {}): Conversation {
  return {
    id,
    status: "open",
    priority: null,
    spam: false,
    labels: [],
    unreadCount: 0,
    contact: { id: `contact-${id}`, name: "Ann", email: "", phoneNumber: null, shopName: "" },
    inbox: { id: "inbox", name: "Website", channelType: "web" },
    product: null,
    assignee: null,
    team: null,
    agent: { state: "off", reason: "" },
    customAttributes: {},
    waitingSince: null,
    snoozedUntil: null,
    wokeAt: null,
    mergedInto: null,
    splitFrom: null,
    lastActivityAt: time(at),
    updatedAt: time(at),
    createdAt: time(0),
    ...more,
  };
}

/** A page of a list; with a cursor there is more after it. */
export function listedPage(conversations: Conversation[], next_cursor = ""): Page<ListedConversation> {
  return { data: conversations.map((one) => ({ ...one, lastMessage: null })), has_more: next_cursor !== "", next_cursor };
}

export function message(id: string, conversationId: string, at: number, more: Partial<Message> = {}): Message {
  return {
    id,
    conversationId,
    content: id,
    contentType: "text",
    senderType: "contact",
    senderId: `contact-${conversationId}`,
    messageType: "incoming",
    status: "sent",
    isPrivate: false,
    sender: { name: "Ann", image: "" },
    attachments: [],
    agent: null,
    mentions: [],
    createdAt: time(at),
    ...more,
  };
}

export function contact(id: string, name: string): Contact {
  return {
    id,
    name,
    email: "",
    phoneNumber: null,
    shopName: "",
    avatarUrl: null,
    identifier: "",
    company: null,
    companyId: null,
    customAttributes: {},
    createdAt: time(0),
    updatedAt: time(0),
    lastActivityAt: time(0),
  };
}

export function member(id: string, name: string): Member {
  return { id, name, email: `${id}@x.example`, image: "", role: "agent", access: "all", inboxIds: [], createdAt: time(0), updatedAt: time(0) };
}

/** An event of the log; `data` is the part of the record that the test needs. */
export function event<T extends LogEvent["type"]>(seq: number, type: T, data: Partial<EventOf<T>["data"]>, conversationId: string | null = null): EventOf<T> {
  const system = { type: "system", id: "", name: "" };
  return { seq, type, createdAt: time(seq), actor: system, cause: null, imported: false, conversationId, changed: [], data } as unknown as EventOf<T>;
}

export function company(id: string, name: string): Company {
  return { id, name, website: null, industry: null, notes: null, externalId: null, createdAt: time(0), updatedAt: time(0) };
}

/** The server's answer at the start, for an empty workspace. */
export function workspaceAt(position: string): WorkspaceState {
  return {
    position,
    workspace: { id: "w", name: "Acme" },
    member: member("usr_me", "Me"),
    members: [],
    formerMembers: [],
    inboxes: [],
    products: [],
    labels: [],
    cannedAnswers: [],
    numbers: [],
    teams: [],
  };
}

/** A state of one inbox and one member, at a position. */
export function stateAt(seq: number): State {
  return initialState({
    ...workspaceAt(`e.${seq}`),
    members: [member("usr_me", "Me")],
    inboxes: [{ id: "inbox", name: "Website", channelType: "web", productId: null, createdAt: time(0), updatedAt: time(0) }],
  });
}

/** An unread notice that Bo has caused. */
export function notice(id: string, conversationId: string, at: number, more: Partial<Notice> = {}): Notice {
  return {
    id,
    kind: "mentioned",
    conversationId,
    contactId: `contact-${conversationId}`,
    contactName: "Ann",
    actor: { type: "member", id: "usr_bo", name: "Bo" },
    messageId: `m-${id}`,
    text: `text of ${id}`,
    count: 1,
    createdAt: time(at),
    updatedAt: time(at),
    readAt: null,
    ...more,
  };
}
