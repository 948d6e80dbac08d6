import { texts } from "./texts";

/** What the server pushes; internal/push/exchange.go writes it. */
export interface Message {
  /** Of the notice and its state. */
  id: string;
  kind: string;
  conversationId: string;
  /** The member who caused it; "" for others. */
  actor: string;
  contact: string;
  text: string;
  count: number;
}

/** Reads a message. What is missing is empty: a notification must be shown in any case. */
export function readMessage(value: unknown): Message {
  const given: Partial<Record<keyof Message, unknown>> = typeof value === "object" && value !== null ? value : {};
  const text = (name: keyof Message) => (typeof given[name] === "string" ? given[name] : "");
  return {
    id: text("id"),
    kind: text("kind"),
    conversationId: text("conversationId"),
    actor: text("actor"),
    contact: text("contact"),
    text: text("text"),
    count: typeof given.count === "number" ? given.count : 1,
  };
}

/** What a notification says. */
export function wordsOf({ kind, actor, contact, text, count }: Message): { title: string; body: string } {
  const { notice } = texts;
  const say = (title: string, body: string) => ({ title: count > 1 ? notice.times(title, count) : title, body });
  switch (kind) {
    case "mentioned":
      return say(notice.mentioned(actor), text);
    case "assigned":
      return say(notice.assigned(actor), contact);
    case "answered":
      return say(actor ? notice.answered(actor, contact) : contact || notice.aCustomer, text);
    case "note":
      return say(notice.note(actor), text);
    case "woke":
      return say(notice.woke, contact);
    case "test":
      return { title: notice.testTitle, body: notice.testText };
    default:
      return say(notice.other, text || contact);
  }
}
