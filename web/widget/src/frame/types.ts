// Types of /v1/widget under the names that the chat uses. They come from the
// OpenAPI documents.
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
  WidgetArticle as Article,
  WidgetArticleText as ArticleText,
  WidgetConfig as Config,
} from "../../../shared/api.gen";
export type { Page } from "../../../shared/types";

/** RFC 3339 in UTC with milliseconds. */
export type Time = CustomerConversation["createdAt"];

/** A part of an answer that the automated agent is writing. It comes from the stream and is not stored. */
export interface Sentence {
  conversationId: string;
  /** Names the attempt; a later one replaces the parts of the one before. */
  run: string;
  /** From 0. */
  number: number;
  text: string;
}

/** A member of the team is typing. The signal comes from the stream and is not stored. */
export interface Typing {
  conversationId: string;
  name: string;
  typing: boolean;
}
