// Whether an event or a notice alerts the member, and the text of the alert.
import type { Conversation, LogEvent, Notice } from "../api/types";
import { customerOf, wordsOf } from "../notices/words";
import { contactName } from "../people/names";
import { texts } from "./texts";

/** An alert for the member. */
export interface Call {
  conversationId: string;
  title: string;
  text: string;
}

/**
 * The conversation that the event may be an alert for, before its assignee is known; null for none. What happens in
 * conversations that the member has or follows is in their notices.
 */
export function mayCall(event: LogEvent): string | null {
  if (event.type !== "message.created") return null;
  const wrote = event.data.messageType === "incoming" && event.moved !== undefined && event.moved.contactLastActivityAt !== null;
  return wrote ? event.conversationId : null;
}

/** The alert for an event that mayCall accepted: only for conversations that nobody has, and not for spam. */
export function callOf(event: LogEvent, conversation: Conversation, follows: boolean): Call | null {
  if (event.type !== "message.created" || conversation.assignee !== null || conversation.spam || follows) return null;
  const message = event.data;
  return { conversationId: conversation.id, title: contactName(conversation.contact), text: beginning(message.content || message.attachments[0]?.fileName || texts.decide.aNewMessage) };
}

/** The alert for a notice: who did what, and the words of it. */
export function callOfNotice(notice: Notice): Call {
  const { conversationId, kind, actor, text } = notice;
  if (kind === "answered" && actor.type === "customer") return { conversationId, title: customerOf(notice), text: beginning(text || texts.decide.aNewMessage) };
  return { conversationId, title: wordsOf({ ...notice, count: 1 }), text: beginning(text || customerOf(notice)) };
}

const beginning = (words: string) => (words.length > 120 ? `${words.slice(0, 119)}…` : words);

/**
 * Several alerts as one: how many, and from how many conversations. `more`: there were more than these. Null for none.
 */
export function summaryOf(calls: readonly Call[], more = false): Call | null {
  const last = calls.at(-1);
  if (!last || calls.length === 1) return last ?? null;
  const conversations = new Set(calls.map(({ conversationId }) => conversationId)).size;
  if (conversations === 1) return last;
  return { conversationId: last.conversationId, title: texts.decide.new(calls.length, more), text: texts.decide.inConversations(conversations) };
}
