// Whether an event alerts the member, and the text of the alert.
import type { Conversation, LogEvent } from "../api/types";
import { contactName } from "../people/names";
import { texts } from "./texts";

/** An alert for the member. */
export interface Call {
  conversationId: string;
  title: string;
  text: string;
}

/** The conversation that the event may be an alert for, before its assignee is known; null for none. */
export function mayCall(event: LogEvent, meId: string): string | null {
  if (event.conversationId === null || event.actor.id === meId) return null;
  if (event.type === "message.created") {
    const wrote = event.data.messageType === "incoming" && event.moved !== undefined && event.moved.contactLastActivityAt !== null;
    return wrote ? event.conversationId : null;
  }
  if (event.type !== "conversation.updated" || !event.changed.includes("assignee")) return null;
  return event.data.assignee?.id === meId ? event.conversationId : null;
}

/** The alert for an event that mayCall accepted: only for the member's own and for unassigned conversations, and not for spam. */
export function callOf(event: LogEvent, conversation: Conversation, meId: string): Call | null {
  if (conversation.assignee !== null && conversation.assignee.id !== meId) return null;
  const name = contactName(conversation.contact);
  const { id: conversationId } = conversation;
  if (event.type === "conversation.updated") return { conversationId, title: texts.decide.assignedToYou, text: name };
  if (event.type !== "message.created" || conversation.spam) return null;
  const message = event.data;
  const words = message.content || message.attachments[0]?.fileName || texts.decide.aNewMessage;
  return { conversationId, title: name, text: words.length > 120 ? `${words.slice(0, 119)}…` : words };
}

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
