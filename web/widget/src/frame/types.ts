// The shapes of /v1/widget by the names that the chat has for them; they come
// from the OpenAPI documents.
import type { CustomerConversation } from "../../../shared/api.gen";

export type {
  Attachment,
  Customer,
  CustomerConversation as Conversation,
  CustomerMessage as Message,
  CustomerSession,
  CustomerThread as Thread,
  MessageStatus,
  NewlyStartedCustomerSession as StartedSession,
  Sender as Person,
  StartedCustomerConversation as StartedConversation,
  WidgetConfig as Config,
} from "../../../shared/api.gen";
export type { Page } from "../../../shared/types";

/** RFC 3339 in UTC with milliseconds. */
export type Time = CustomerConversation["createdAt"];

/** Somebody of the team writes; a signal of the stream, not kept anywhere. */
export interface Typing {
  conversationId: string;
  name: string;
  typing: boolean;
}
