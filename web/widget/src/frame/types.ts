// The shapes of /v1/widget, as api/widget.yaml describes them.

/** RFC 3339 in UTC with milliseconds. */
export type Time = string;

export interface Config {
  inboxId: string;
  name: string;
  title: string;
  greeting: string;
  replyTime: string;
  /** #rrggbb */
  color: string;
  position: "right" | "left";
  identity: "off" | "optional" | "required";
  /** Three at most. */
  team: Person[];
}
export interface Person {
  name: string;
  image: string;
}
export interface Customer {
  id: string;
  name: string;
  email: string;
  identified: boolean;
}
export interface CustomerSession {
  /** Only in the answer that made it. */
  token?: string;
  customer: Customer;
  expiresAt: Time;
}
export interface Conversation {
  id: string;
  status: "open" | "pending" | "resolved";
  /** Messages of the team that the customer has not seen. */
  unreadCount: number;
  lastMessage: Message | null;
  lastActivityAt: Time;
  createdAt: Time;
}
export interface Thread extends Conversation {
  messages: Page<Message>;
}
export type MessageStatus = "queued" | "sent" | "delivered" | "read" | "failed";
export interface Message {
  id: string;
  conversationId: string;
  content: string;
  contentType: string;
  from: "customer" | "team" | "system";
  sender: Person;
  status: MessageStatus;
  attachments: Attachment[];
  createdAt: Time;
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
export interface Page<T> {
  data: T[];
  has_more: boolean;
  next_cursor: string;
}
/** Somebody of the team writes; a signal of the stream, not kept anywhere. */
export interface Typing {
  conversationId: string;
  name: string;
  typing: boolean;
}
