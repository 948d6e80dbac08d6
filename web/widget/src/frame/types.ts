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

/** A member of the team is typing. The signal comes from the stream and is not stored. */
export interface Typing {
  conversationId: string;
  name: string;
  typing: boolean;
}
