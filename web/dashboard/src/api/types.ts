// The shapes of the server's JSON, as api/openapi.yaml and api/dashboard.yaml
// describe them.
import type { ChatNumber } from "./numbers";

/** RFC 3339 in UTC with milliseconds. */
export type Time = string;

export type Status = "open" | "pending" | "resolved";
export type Priority = "low" | "medium" | "high" | "urgent";
export type ChannelType = "api" | "web" | "chatapp" | "email";
export type ContentType = "text" | "markdown" | "image" | "audio" | "video" | "file" | "location" | "system";
export type SenderType = "agent" | "bot" | "contact" | "system";
export type MessageStatus = "queued" | "sent" | "delivered" | "read" | "failed";
export type Role = "owner" | "admin" | "agent";
export type LabelColor = "gray" | "red" | "orange" | "yellow" | "green" | "teal" | "blue" | "purple" | "pink";
export type Attributes = Record<string, unknown>;

export interface Ref {
  id: string;
  name: string;
}

/** A page of a list. `next_cursor` is "" on the last one. */
export interface Page<T> {
  data: T[];
  has_more: boolean;
  next_cursor: string;
}
export interface List<T> {
  data: T[];
}

export interface ContactRef extends Ref {
  email: string;
  phoneNumber: string | null;
  shopName: string;
}
export interface InboxRef extends Ref {
  channelType: ChannelType;
}
export interface AssigneeRef extends Ref {
  image: string;
}

export interface Conversation {
  id: string;
  status: Status;
  priority: Priority | null;
  labels: string[];
  unreadCount: number;
  contact: ContactRef;
  inbox: InboxRef;
  product: Ref | null;
  assignee: AssigneeRef | null;
  customAttributes: Attributes;
  /** Since when the customer waits for an answer. */
  waitingSince: Time | null;
  lastActivityAt: Time;
  /** Of the last change of any kind, as of when it was loaded: a message that changes by itself moves it, and no event says where to. */
  updatedAt: Time;
  createdAt: Time;
}
/** What a list shows of a conversation's newest message. */
export interface MessagePreview {
  id: string;
  /** The beginning of its content; of a message without words the name of its first file. */
  preview: string;
  contentType: ContentType;
  messageType: "incoming" | "outgoing";
  senderType: SenderType;
  isPrivate: boolean;
  attachmentCount: number;
  createdAt: Time;
}
export interface ListedConversation extends Conversation {
  lastMessage: MessagePreview | null;
}
export interface Thread extends Conversation {
  messages: Page<Message>;
}
/** The members of a conversation that PATCH changes. */
export interface ConversationChange {
  status?: Status;
  priority?: Priority | null;
  assigneeId?: string | null;
  labels?: string[];
  productId?: string | null;
  customAttributes?: Attributes;
}

export interface Attachment {
  id: string;
  fileName: string;
  contentType: string;
  size: number;
  url: string;
  width: number | null;
  height: number | null;
  duration: number | null;
}
export interface Message {
  id: string;
  conversationId: string;
  content: string;
  contentType: ContentType;
  senderType: SenderType;
  senderId: string;
  messageType: "incoming" | "outgoing";
  status: MessageStatus;
  isPrivate: boolean;
  sender: { name: string; image: string };
  attachments: Attachment[];
  createdAt: Time;
  /** Only of a failed message: why. */
  error?: string;
}

/** An inbox by which a contact can be written to first. */
export interface Way {
  inbox: { id: string; name: string; channelType: ChannelType };
  /** That it leads to, in WhatsApp. */
  phoneNumber: string | null;
}

/** One change of a conversation; what did not change is absent. */
export interface HistoryEntry {
  id: string;
  createdAt: Time;
  actor: Actor;
  changes: { status?: Status };
}

export interface Contact {
  id: string;
  name: string;
  email: string;
  phoneNumber: string | null;
  shopName: string;
  avatarUrl: string | null;
  identifier: string;
  company: Ref | null;
  companyId: string | null;
  storeId?: string | null;
  customAttributes: Attributes;
  createdAt: Time;
  updatedAt: Time;
  lastActivityAt: Time;
}
export interface Company {
  id: string;
  name: string;
  website: string | null;
  industry: string | null;
  notes: string | null;
  externalId: string | null;
  createdAt: Time;
  updatedAt: Time;
}
/** The read of a single company also counts its contacts. */
export interface CompanyRecord extends Company {
  contactCount: number;
}
export interface Product {
  id: string;
  name: string;
  description: string;
  archived: boolean;
  archivedAt: Time | null;
  createdAt: Time;
  updatedAt: Time;
}
export interface Inbox {
  id: string;
  name: string;
  channelType: ChannelType;
  /** Product of the conversations that start here. */
  productId: string | null;
  createdAt: Time;
  updatedAt: Time;
}
export interface Member {
  id: string;
  name: string;
  email: string;
  image: string;
  role: Role;
  createdAt: Time;
  updatedAt: Time;
}
export interface Session {
  id: string;
  userAgent: string;
  createdAt: Time;
  seenAt: Time;
  expiresAt: Time;
  current: boolean;
}
export interface Me {
  member: Member;
  workspace: Ref;
  session: Session;
  /** When somebody else last made that the password can be set. */
  passwordReset: { at: Time; by: Actor } | null;
}
/** What POST session answers where the password fits several workspaces. */
export interface WorkspaceChoice {
  workspaces: Ref[];
}
export interface Invitation {
  id: string;
  email: string;
  role: Role;
  /** Set for a password reset. */
  memberId: string | null;
  invitedBy: Ref | null;
  createdAt: Time;
  expiresAt: Time;
}
export interface NewInvitation extends Invitation {
  /** Path and fragment, "/invite#<token>"; shown once. */
  link: string;
}
export interface OpenedInvitation {
  workspace: { name: string };
  email: string;
  role: Role;
  memberId: string | null;
  expiresAt: Time;
}
export interface Key {
  id: string;
  name: string;
  scopes: string[];
  /** "pk_AbCd…wxyz" */
  display: string;
  createdAt: Time;
  expiresAt: Time | null;
  revokedAt: Time | null;
  lastUsedAt: Time | null;
  createdBy: Actor;
}
/** Who did something: a member, or the system for the command line. */
export interface Actor {
  type: string;
  id: string;
  name: string;
}
export interface NewKey extends Key {
  /** In its plain form, which is told this once. */
  key: string;
}
export interface StoresUse {
  sunset: Time;
  daysLeft: number;
  data: StoresUseOfKey[];
}
export interface StoresUseOfKey {
  key: { id: string; name: string; display: string };
  calls: number;
  /** YYYY-MM-DD */
  firstDay: string;
  lastAt: Time;
  days: { day: string; calls: number }[];
}
export interface CannedAnswer {
  id: string;
  shortcut: string;
  content: string;
  createdAt: Time;
  updatedAt: Time;
}
export interface Label {
  name: string;
  color: LabelColor;
  createdAt: Time;
  updatedAt: Time;
}
export type IdentityAlgorithm = "HS256" | "RS256" | "PS256" | "ES256" | "EdDSA";
/** What a customer's signed identity is checked by. */
export interface IdentityKey {
  kid: string;
  algorithm: IdentityAlgorithm;
  kind: "secret" | "public" | "jwks";
  jwksUrl: string | null;
  issuer: string;
  audience: string;
  state: "active" | "retiring" | "revoked";
  retireAt: Time | null;
  createdAt: Time;
  lastUsedAt: Time | null;
}
export interface NewIdentityKey extends IdentityKey {
  /** Only of a secret that the server made; shown once. */
  secret?: string;
}
/** An identity that was refused, and why. */
export interface RejectedIdentity {
  at: Time;
  inboxId: string | null;
  kid: string;
  reason: string;
  subject: string;
  origin: string;
}
/** How the chat of a web inbox looks, and whom it lets in. */
export interface WidgetSettings {
  inboxId: string;
  /** Of the pages that may show it, as "https://shop.example"; none: every page. */
  origins: string[];
  identity: "off" | "optional" | "required";
  title: string;
  greeting: string;
  replyTime: string;
  /** #rrggbb */
  color: string;
  position: "right" | "left";
  /** Whether the widget shows names and pictures of members. */
  showTeam: boolean;
}
/** A signed identity took a contact from one company to another; null for none. */
export interface CompanyMove {
  id: string;
  from: Ref | null;
  to: Ref | null;
  movedAt: Time;
}
/** A guess that two contacts are one person. */
export interface ContactDuplicate {
  id: string;
  contact: Ref;
  other: Ref & { email: string };
  /** What both go by: the e-mail address, or "" and the phone number. */
  email: string;
  phoneNumber: string | null;
  createdAt: Time;
}
export interface WorkspaceState {
  position: string;
  workspace: Ref;
  member: Member;
  members: Member[];
  formerMembers: Member[];
  inboxes: Inbox[];
  products: Product[];
  labels: Label[];
  cannedAnswers: CannedAnswer[];
  numbers: ChatNumber[];
}
/** Each capped at 1000. */
export interface Counts {
  open: number;
  pending: number;
  mine: number;
  unassigned: number;
  unread: number;
  /** Open ones whose customer waits for an answer. */
  waiting: number;
  /** Open ones, the member's own or nobody's, that the member has not read. */
  toRead: number;
}
/** The ids of the conversations that the member has not read. */
export interface Unread {
  new: string[];
  marked: string[];
}
/** The stream's word that the member read a conversation, or marked it as unread, in another tab. */
export interface Reading {
  conversationId: string;
  unread: boolean;
}
export interface SearchHit {
  kind: "message" | "contact" | "company";
  id: string;
  conversationId: string | null;
  title: string;
  snippet: { text: string; match: boolean }[];
  contact: Ref | null;
  at: Time;
}
export interface Distribution {
  count: number;
  medianSeconds: number | null;
  p90Seconds: number | null;
}
export interface ReportRow {
  /** A day as YYYY-MM-DD, or an id, or "" for none. */
  key: string;
  label: string;
  opened: number;
  resolved: number;
  firstResponse: Distribution;
  resolution: Distribution;
}
export type ReportBy = "day" | "product" | "inbox" | "member" | "company";
export interface Report {
  from: string;
  to: string;
  by: ReportBy;
  rows: ReportRow[];
  total: ReportRow;
}

/** One change of the workspace, as the log and the stream tell it. */
export interface LogEvent {
  seq: number;
  type: string;
  createdAt: Time;
  conversationId: string | null;
  changed: string[];
  /** Who did it; absent from what this page makes up itself. */
  actor?: Actor;
  data: unknown;
  /** Only of message.created: what the message moved. */
  moved?: Moved;
}
export interface Moved {
  unreadCount: number;
  lastActivityAt: Time;
  updatedAt: Time;
  waitingSince: Time | null;
  /** Null unless a customer wrote it now: not of a backfill. */
  contactLastActivityAt: Time | null;
}
/** Who looks at or types into which conversation: a member, or a customer who types in the chat on a website. */
export type Presence = MemberPresence | CustomerPresence;
export interface MemberPresence {
  memberId: string;
  conversationId: string | null;
  typing: boolean;
}
export interface CustomerPresence {
  contactId: string;
  conversationId: string;
  typing: boolean;
}
export type SearchPage = Page<SearchHit>;
