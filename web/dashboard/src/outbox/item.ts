// A message that a member has sent with a key press, until the server has it.
// Pure: what becomes of it is decided here, by whom it is carried in outbox.ts.
import { ApiError, errorText } from "../api/client";
import type { Attachment, HistoryEntry, Message, Status } from "../api/types";
import { texts } from "./texts";

export interface Item {
  /** The Idempotency-Key of every try, so that the message is stored once however often it is tried; it also names the item. */
  key: string;
  conversationId: string;
  /** What the contact was called, for notices; "" where that was not known. */
  to: string;
  content: string;
  isPrivate: boolean;
  attachments: readonly Attachment[];
  /** When it was sent, in milliseconds; items of a conversation go in this order. */
  writtenAt: number;
  /** When the member last said that it may go: from then on it goes by itself for a day. */
  agreedAt: number;
  /** The newest message that its author knew; "" where there was none. */
  seen: string;
  /** It may go to a conversation that is resolved. */
  toResolved: boolean;
  /** Whether its author knew the conversation as resolved. */
  knewResolved: boolean;
  /** What is done with the conversation before, or after, it goes. */
  before: "" | "reopen";
  after: "" | "resolve" | "resolved";
  /** The message that it has become, while something is left to do afterwards; else "". */
  posted: string;
  /** How many tries have failed, and when the next one is due, in milliseconds. */
  tries: number;
  dueAt: number;
  stand: Stand;
}

/**
 * `ready`: on its way. `late`: it could not be handed over and is tried again by itself. `refused`: the server does not
 * take it as it is. `asks`: something came in between, and its author is to decide.
 */
export type Stand = { is: "ready" } | { is: "late"; fault: string } | { is: "refused"; fault: string } | { is: "asks"; question: Question };

export interface Question {
  /** It waited for more than a day. */
  old: boolean;
  /** The conversation is resolved. */
  resolved: boolean;
  /** Who resolved it; "" where that is not known. */
  resolvedBy: string;
  /** What others answered meanwhile, oldest first. */
  answers: readonly Answered[];
  /** The newest message when this was found out. */
  newest: string;
}

export interface Answered {
  id: string;
  name: string;
  text: string;
}

/** What is written, as the composer hands it over. */
export type Written = Pick<Item, "conversationId" | "to" | "content" | "isPrivate" | "attachments" | "seen" | "knewResolved"> & Partial<Pick<Item, "after">>;

/** For how long a message goes by itself. The server knows the key of a message for as long. */
export const day = 24 * 3600_000;

/** A new item, which goes behind those of its conversation that are here already. */
export function itemOf(written: Written, key: string, now: number, waiting: readonly Item[]): Item {
  const last = Math.max(0, ...waiting.filter((one) => one.conversationId === written.conversationId).map((one) => one.writtenAt));
  const { conversationId, to, content, isPrivate, attachments, seen, knewResolved, after = "" } = written;
  return {
    key,
    conversationId,
    to,
    content,
    isPrivate,
    attachments,
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
    stand: { is: "ready" },
  };
}

/** The member says that it may go, whatever came: once more, for what comes after that stops it again. */
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
 * The one that goes next of a conversation's items: the first, unless it waits for its author. Then a private note may
 * pass it, for the customer does not read those.
 */
export function nextOf(items: readonly Item[]): Item | undefined {
  let held = false;
  for (const item of items) {
    if (!mayGo(item)) held = true;
    else if (!held || item.isPrivate) return item;
  }
  return undefined;
}

/** The items of each conversation, in their order. */
export function byConversation(items: readonly Item[]): Map<string, Item[]> {
  const all = new Map<string, Item[]>();
  for (const item of items) all.set(item.conversationId, [...(all.get(item.conversationId) ?? []), item]);
  for (const some of all.values()) some.sort((a, b) => a.writtenAt - b.writtenAt || (a.key < b.key ? -1 : 1));
  return all;
}

/**
 * The body of the request. A private note asks for nothing: it disturbs nobody. Its author stands in it because the
 * cookie says who posts: another member may have signed in since, in another tab.
 */
export function bodyOf({ content, isPrivate, attachments, seen, toResolved }: Item, meId: string) {
  return {
    content,
    agentUserId: meId,
    ...(isPrivate && { isPrivate }),
    ...(attachments.length > 0 && { attachmentIds: attachments.map(({ id }) => id) }),
    ...(!isPrivate && seen !== "" && { ifLastMessageId: seen }),
    ...(!isPrivate && !toResolved && { ifStatus: ["open", "pending"] satisfies Status[] }),
  };
}

/**
 * What a failed try means. `delivered`: an earlier try had arrived, whose answer was lost. `overtaken`: something came
 * in between, which has to be looked at. `replaced`: another member is signed in here. `late`: the same may succeed later.
 */
export type Verdict = "delivered" | "overtaken" | "signedOut" | "replaced" | "late" | "refused";

export function verdictOf(error: unknown): Verdict {
  if (!(error instanceof ApiError)) return "late";
  if (error.passing || error.status === 408) return "late";
  if (error.status === 401) return "signedOut";
  if (error.status === 400 && error.fields.agentUserId) return "replaced";
  // The key was taken by this message with another ifLastMessageId.
  if (error.status === 422) return "delivered";
  if (error.status === 409 && (error.fields.ifLastMessageId || error.fields.ifStatus)) return "overtaken";
  if (error.status === 409 && error.fields["Idempotency-Key"]) return "late";
  return "refused";
}

/** Why a try failed, for its author. */
export function faultText(error: unknown): string {
  if (!(error instanceof ApiError)) return texts.item.timeout;
  const { status, fields, message } = error;
  if (status === 0) return texts.item.unreachable;
  if (status === 401) return texts.item.signedOut;
  if (status === 400 && fields.agentUserId) return texts.item.anotherMember;
  if (status === 403) return texts.item.notAllowed;
  if (status === 429) return texts.item.tooMuch;
  if (status >= 500) return texts.item.serverFails;
  if (message.startsWith("attachmentIds: ")) return texts.item.fileGone;
  if (status === 404) return texts.item.conversationGone;
  if (status === 413 || fields.content) return texts.item.tooLong;
  return errorText(error);
}

/** A conversation as it is now: its status, who made it so, and its newest messages, oldest first. */
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

/** Whether a message answers the customer in the place of a member. */
function answers(message: Message, meId: string): boolean {
  return answersAtAll(message) && !isBy(meId, message);
}

/** After so long, in milliseconds, its author may have answered elsewhere. */
const lingers = 60_000;

function newestOf(messages: readonly Message[], otherwise: string): string {
  return messages.reduce((newest, { id }) => (id > newest ? id : newest), otherwise);
}

/**
 * What its author knew when a message is sent that was begun when `begun` was the newest: all that is here, unless
 * somebody else answered since. `log` are the messages that are here.
 */
export function seenBy(meId: string, log: readonly Message[], begun: string | undefined): string {
  if (begun !== undefined && log.some((message) => message.id > begun && answers(message, meId))) return begun;
  return newestOf(log, begun ?? "");
}

/** Looks at what came in between: the item goes on knowing it, is there already, or asks. */
export function lookedAt(item: Item, now: Now, meId: string, at: number): Item | "delivered" {
  const came = now.messages.filter(({ id }) => id > item.seen);
  const old = at - item.agreedAt > day;
  // The server may have forgotten the key of so old a message.
  if (old && came.some((message) => isItem(item, message, meId))) return "delivered";
  const by = now.status === "resolved" ? now.history.findLast(({ changes }) => changes.status === "resolved")?.actor : undefined;
  // What its author says from here makes those behind it know. What else came from its author while it waited came from another device.
  const waited = item.tries > 0 || at - item.agreedAt > lingers;
  const faster = item.isPrivate || item.seen === "" ? [] : came.filter((message) => answersAtAll(message) && (waited || !isBy(meId, message)));
  const byMe = by?.type === "member" && by.id === meId;
  // Who resolves right after sending means both.
  const mine = byMe && !item.knewResolved && !faster.some((message) => isBy(meId, message));
  const resolved = !item.isPrivate && now.status === "resolved" && !item.toResolved && !mine;
  const newest = newestOf(now.messages, item.seen);
  // To resolve what the customer has just written to would hide it.
  const after = came.some(({ messageType }) => messageType === "incoming") ? "" : item.after;
  if (!old && !resolved && faster.length === 0) return { ...item, after, seen: newest, toResolved: item.toResolved || mine, stand: { is: "ready" } };
  const shown = faster.map((message) => ({ id: message.id, name: nameOf(message, meId), text: (message.content || message.attachments[0]?.fileName || "").slice(0, 300) }));
  return { ...item, after, stand: { is: "asks", question: { old, resolved, resolvedBy: resolved ? (byMe ? you : (by?.name ?? "")) : "", answers: shown, newest } } };
}

const you = texts.item.you;

function nameOf(message: Message, meId: string): string {
  return isBy(meId, message) ? you : message.sender.name || (message.senderType === "bot" ? texts.item.theAutomatedAgent : texts.item.somebody);
}

/** Whether it goes without a word of its author. */
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

/** The items that do not show among the messages yet: the event of a message may be here before the answer to its request. */
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

/** 1 s after the first failure, doubling to a minute, each between half and the whole. */
export function pauseAfter(tries: number, random: number): number {
  return Math.min(60_000, 1000 * 2 ** Math.min(tries, 10)) * (0.5 + random / 2);
}

/** How the items of a conversation stand, in a word for its row. */
export type Standing = "" | "sending" | "unsent";

export function standingOf(items: readonly Item[]): Standing {
  const left = items.filter(({ posted }) => posted === "");
  if (left.length === 0) return "";
  return left.some(({ stand }) => stand.is !== "ready") ? "unsent" : "sending";
}
