// A message that a member has sent, until the server has it. Pure functions:
// this file decides what happens to it, and outbox.ts does it.
import { ApiError, errorText } from "../api/client";
import type { Attachment, HistoryEntry, Message, Status } from "../api/types";
import { hasMarkup } from "../../../shared/markup";
import { texts } from "./texts";

export interface Item {
  /**
   * The Idempotency-Key of every attempt, so that the message is stored once however often it is sent; also the id of
   * the item.
   */
  key: string;
  conversationId: string;
  /** The name of the contact, for notices; "" if unknown. */
  to: string;
  content: string;
  /** The content has markup. It is decided once, because every attempt must be the same. */
  markdown?: true;
  isPrivate: boolean;
  attachments: readonly Attachment[];
  /** The members whom a note names. */
  mentions?: readonly string[];
  /** When it was sent, in milliseconds; items of a conversation go in this order. */
  writtenAt: number;
  /** When the member last agreed to send it: from then on it is sent automatically for a day. */
  agreedAt: number;
  /** The newest message that its author knew; "" if there was none. */
  seen: string;
  /** It may be sent to a resolved conversation. */
  toResolved: boolean;
  /** Whether its author knew that the conversation was resolved. */
  knewResolved: boolean;
  /** What happens to the conversation before, or after, it is sent. */
  before: "" | "reopen";
  after: "" | "resolve" | "resolved";
  /** The message that it became, while something is left to do; otherwise "". */
  posted: string;
  /** How many attempts have failed, and when the next one is due, in milliseconds. */
  tries: number;
  dueAt: number;
  /** Until when its author may take it back before it is sent, in milliseconds; absent if it goes at once. */
  heldUntil?: number;
  stand: Stand;
}

/**
 * `ready`: being sent. `late`: an attempt failed and is retried automatically. `refused`: the server does not accept it
 * as it is. `asks`: something happened in the meantime, and its author must decide.
 */
export type Stand = { is: "ready" } | { is: "late"; fault: string } | { is: "refused"; fault: string } | { is: "asks"; question: Question };

export interface Question {
  /** It waited for more than a day. */
  old: boolean;
  /** The conversation is resolved. */
  resolved: boolean;
  /** Who resolved it; "" if unknown. */
  resolvedBy: string;
  /** What others answered in the meantime, oldest first. */
  answers: readonly Answered[];
  /** The newest message when this was found. */
  newest: string;
}

export interface Answered {
  id: string;
  name: string;
  text: string;
}

/** What the composer hands over. */
export type Written = Pick<Item, "conversationId" | "to" | "content" | "isPrivate" | "attachments" | "seen" | "knewResolved"> & Partial<Pick<Item, "after" | "mentions">> & { holdFor?: number };

/** How long a message is sent automatically. The server remembers the key of a message for as long. */
export const day = 24 * 3600_000;

/** A new item, after the present ones of its conversation. */
export function itemOf(written: Written, key: string, now: number, waiting: readonly Item[]): Item {
  const last = Math.max(0, ...waiting.filter((one) => one.conversationId === written.conversationId).map((one) => one.writtenAt));
  const { conversationId, to, content, isPrivate, attachments, mentions = [], seen, knewResolved, after = "", holdFor = 0 } = written;
  return {
    key,
    conversationId,
    to,
    content,
    // With a file, the type of the message is that of the file.
    ...(attachments.length === 0 && hasMarkup(content) && { markdown: true as const }),
    isPrivate,
    attachments,
    ...(isPrivate && mentions.length > 0 && { mentions }),
    seen,
    knewResolved,
    after,
    writtenAt: Math.max(now, last + 1),
    agreedAt: now,
    toResolved: false,
    before: "",
    posted: "",
    tries: 0,
    dueAt: 0,
    ...(holdFor > 0 && { heldUntil: now + holdFor }),
    stand: { is: "ready" },
  };
}

/** The longest time for which a message is held, in milliseconds: a clock that was set back must not hold it longer. */
const longestHold = 60_000;

/** How much longer an item is held, in milliseconds. */
export function heldFor({ heldUntil = 0 }: Item, now: number): number {
  const left = heldUntil - now;
  return left > 0 && left <= longestHold ? left : 0;
}

/** The member agrees to send it, whatever has happened; later events stop it again. */
export function agreed(item: Item, now: number, reopen: boolean): Item {
  const question = item.stand.is === "asks" ? item.stand.question : undefined;
  return {
    ...item,
    agreedAt: now,
    seen: question?.newest || item.seen,
    toResolved: item.toResolved || (question?.resolved === true && !reopen),
    before: reopen ? "reopen" : item.before,
    tries: 0,
    dueAt: 0,
    stand: { is: "ready" },
  };
}

/**
 * The item to send next of a conversation: the first, unless it waits for its author. Then a private note may overtake
 * it, because the customer does not read notes.
 */
export function nextOf(items: readonly Item[]): Item | undefined {
  let held = false;
  for (const item of items) {
    if (!mayGo(item)) held = true;
    else if (!held || item.isPrivate) return item;
  }
  return undefined;
}

/** The items of each conversation, in order. */
export function byConversation(items: readonly Item[]): Map<string, Item[]> {
  const all = new Map<string, Item[]>();
  for (const item of items) all.set(item.conversationId, [...(all.get(item.conversationId) ?? []), item]);
  for (const some of all.values()) some.sort((a, b) => a.writtenAt - b.writtenAt || (a.key < b.key ? -1 : 1));
  return all;
}

/**
 * The body of the request. A private note has no conditions, because it disturbs nobody. The body names the author
 * because the cookie decides who posts, and another member may have signed in since, in another tab.
 */
export function bodyOf({ content, markdown, isPrivate, attachments, mentions = [], seen, toResolved }: Item, meId: string) {
  return {
    content,
    ...(markdown && { contentType: "markdown" as const }),
    agentUserId: meId,
    ...(isPrivate && { isPrivate }),
    ...(mentions.length > 0 && { mentions }),
    ...(attachments.length > 0 && { attachmentIds: attachments.map(({ id }) => id) }),
    ...(!isPrivate && seen !== "" && { ifLastMessageId: seen }),
    ...(!isPrivate && !toResolved && { ifStatus: ["open", "pending"] satisfies Status[] }),
  };
}

/**
 * The meaning of a failed attempt. `delivered`: an earlier attempt had arrived, but its answer was lost. `overtaken`:
 * something happened in the meantime, which must be read. `replaced`: another member is signed in here. `late`: a retry
 * may succeed.
 */
export type Verdict = "delivered" | "overtaken" | "signedOut" | "replaced" | "late" | "refused";

export function verdictOf(error: unknown): Verdict {
  if (!(error instanceof ApiError)) return "late";
  if (error.passing || error.status === 408) return "late";
  if (error.status === 401) return "signedOut";
  if (error.status === 400 && error.fields.agentUserId) return "replaced";
  // This message used the key with another ifLastMessageId.
  if (error.status === 422) return "delivered";
  if (error.status === 409 && (error.fields.ifLastMessageId || error.fields.ifStatus)) return "overtaken";
  if (error.code === "in_progress") return "late";
  return "refused";
}

/** Why an attempt failed, in words for its author. */
export function faultText(error: unknown): string {
  if (!(error instanceof ApiError)) return texts.item.timeout;
  const { status, fields } = error;
  if (status === 0) return texts.item.unreachable;
  if (status === 401) return texts.item.signedOut;
  if (status === 400 && fields.agentUserId) return texts.item.anotherMember;
  if (status === 403) return texts.item.notAllowed;
  if (status === 429) return texts.item.tooMuch;
  if (status >= 500) return texts.item.serverFails;
  if (fields.mentions !== undefined) return texts.item.memberGone;
  if (status !== 400 && fields.attachmentIds) return texts.item.fileGone;
  if (status === 404) return texts.item.conversationGone;
  if (status === 413 || fields.content) return texts.item.tooLong;
  return errorText(error);
}

/** The present state of a conversation: its status, who set it, and its newest messages, oldest first. */
export interface Now {
  status: Status;
  messages: readonly Message[];
  history: readonly HistoryEntry[];
}

/** Whether a message answers the customer. */
function answersAtAll({ messageType, isPrivate, senderType }: Message): boolean {
  return messageType === "outgoing" && !isPrivate && senderType !== "system";
}

function isBy(meId: string, { senderType, senderId }: Message): boolean {
  return senderType === "agent" && senderId === meId;
}

/** Whether a message of somebody else answers the customer. */
function answers(message: Message, meId: string): boolean {
  return answersAtAll(message) && !isBy(meId, message);
}

/** After this time, in milliseconds, its author may have answered from another device. */
const lingers = 60_000;

function newestOf(messages: readonly Message[], otherwise: string): string {
  return messages.reduce((newest, { id }) => (id > newest ? id : newest), otherwise);
}

/**
 * What the author of a message knew whose draft was started when `begun` was the newest: everything in `log`, unless
 * somebody else has answered since.
 */
export function seenBy(meId: string, log: readonly Message[], begun: string | undefined): string {
  if (begun !== undefined && log.some((message) => message.id > begun && answers(message, meId))) return begun;
  return newestOf(log, begun ?? "");
}

/** Compares an item with what happened in the meantime: it may be sent, has arrived already, or must ask. */
export function lookedAt(item: Item, now: Now, meId: string, at: number): Item | "delivered" {
  const came = now.messages.filter(({ id }) => id > item.seen);
  const old = at - item.agreedAt > day;
  // The server may have dropped the key of so old a message.
  if (old && came.some((message) => isItem(item, message, meId))) return "delivered";
  const by = now.status === "resolved" ? now.history.findLast(({ changes }) => changes.status === "resolved")?.actor : undefined;
  // The author's answer from this page informs the items after it. Other
  // messages of its author while it waited are from another device.
  const waited = item.tries > 0 || at - item.agreedAt > lingers;
  const faster = item.isPrivate || item.seen === "" ? [] : came.filter((message) => answersAtAll(message) && (waited || !isBy(meId, message)));
  const byMe = by?.type === "member" && by.id === meId;
  // A member who resolves right after sending wants both.
  const mine = byMe && !item.knewResolved && !faster.some((message) => isBy(meId, message));
  const resolved = !item.isPrivate && now.status === "resolved" && !item.toResolved && !mine;
  const newest = newestOf(now.messages, item.seen);
  // Resolving a conversation that the customer has just written to would hide the message.
  const after = came.some(({ messageType }) => messageType === "incoming") ? "" : item.after;
  if (!old && !resolved && faster.length === 0) return { ...item, after, seen: newest, toResolved: item.toResolved || mine, stand: { is: "ready" } };
  const shown = faster.map((message) => ({ id: message.id, name: nameOf(message, meId), text: (message.content || message.attachments[0]?.fileName || "").slice(0, 300) }));
  return { ...item, after, stand: { is: "asks", question: { old, resolved, resolvedBy: resolved ? (byMe ? you : (by?.name ?? "")) : "", answers: shown, newest } } };
}

const you = texts.item.you;

function nameOf(message: Message, meId: string): string {
  return isBy(meId, message) ? you : message.sender.name || (message.senderType === "bot" ? texts.item.theAutomatedAgent : texts.item.somebody);
}

/** Whether it can be sent without asking its author. */
export function mayGo({ stand }: Item): boolean {
  return stand.is === "ready" || stand.is === "late";
}

/** Whether a message of the log is this item. */
export function isItem(item: Item, message: Message, meId: string): boolean {
  return (
    message.id > item.seen &&
    message.senderId === meId &&
    message.content === item.content &&
    message.isPrivate === item.isPrivate &&
    message.attachments.length === item.attachments.length &&
    item.attachments.every(({ id }, at) => message.attachments[at]?.id === id)
  );
}

/**
 * The items that are not among the messages yet: the event of a message may arrive before the answer to its request.
 */
export function notShown(items: readonly Item[], log: readonly Message[], meId: string): readonly Item[] {
  const left = log.filter(({ senderId }) => senderId === meId);
  return items.filter((item) => {
    if (item.posted !== "") return false;
    if (!mayGo(item)) return true;
    const at = left.findIndex((message) => isItem(item, message, meId));
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

/** 1 s after the first failure, doubling up to a minute; each is a random time between half and all of it. */
export function pauseAfter(tries: number, random: number): number {
  return Math.min(60_000, 1000 * 2 ** Math.min(tries, 10)) * (0.5 + random / 2);
}

/** The state of a conversation's items, in a word for its row. */
export type Standing = "" | "sending" | "unsent";

export function standingOf(items: readonly Item[]): Standing {
  const left = items.filter(({ posted }) => posted === "");
  if (left.length === 0) return "";
  return left.some(({ stand }) => stand.is !== "ready") ? "unsent" : "sending";
}
