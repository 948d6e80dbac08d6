// Live lists of conversations: which conversations belong to a filter, and in
// which order.
import type { Conversation } from "../api/types";
import type { ConversationList, Draft, Filter, State } from "./state";

const names = [
  "status",
  "assigneeId",
  "inboxId",
  "productId",
  "teamId",
  "label",
  "contactId",
  "companyId",
  "spam",
  "agent",
  "snoozed",
  "woke",
  "priority",
  "notLabel",
  "activeAfter",
  "activeBefore",
  "order",
] as const;

/** The same text for equal filters, whatever the order of their properties. */
export function filterKey(filter: Filter): string {
  return names.flatMap((name) => (filter[name] ? [`${name}=${encodeURIComponent(filter[name])}`] : [])).join("&");
}

/** What separates the labels of a filter that has several; no label has it in its name. */
export const labelSeparator = "\n";

/** The labels of a filter. Conversations have all of them. */
export function labelsOf({ label }: Filter): readonly string[] {
  return label ? label.split(labelSeparator) : [];
}

/**
 * Whether the conversation belongs to the filter; null if that is unknown here, because a conversation does not name
 * the company of its contact.
 */
export function matches(filter: Filter, conversation: Conversation, contacts: State["contacts"]): boolean | null {
  const fits = (wanted: string | undefined, id: string | undefined) => wanted === undefined || wanted === (id ?? "none");
  if (isMerged(conversation)) return false;
  if (!fits(filter.status, conversation.status)) return false;
  if (!fits(filter.assigneeId, conversation.assignee?.id)) return false;
  if (!fits(filter.inboxId, conversation.inbox.id)) return false;
  if (!fits(filter.productId, conversation.product?.id)) return false;
  if (!fits(filter.teamId, teamOf(conversation)?.id)) return false;
  if (!fits(filter.contactId, conversation.contact.id)) return false;
  if (filter.spam !== "any" && isSpam(conversation) !== (filter.spam === "true")) return false;
  if (filter.agent !== undefined && agentOf(conversation)?.state !== filter.agent) return false;
  if (!labelsOf(filter).every((label) => conversation.labels.includes(label))) return false;
  if (filter.notLabel !== undefined && conversation.labels.includes(filter.notLabel)) return false;
  if (!fits(filter.priority, conversation.priority ?? undefined)) return false;
  if (filter.snoozed !== undefined && sleeps(conversation) !== (filter.snoozed === "true")) return false;
  if (filter.activeAfter !== undefined && Date.parse(conversation.lastActivityAt) < Date.parse(filter.activeAfter)) return false;
  if (filter.activeBefore !== undefined && Date.parse(conversation.lastActivityAt) >= Date.parse(filter.activeBefore)) return false;
  if (filter.woke !== undefined && !hasWoken(conversation)) return false;
  if (filter.order === waiting && conversation.waitingSince === null) return false;
  if (filter.companyId === undefined) return true;
  const contact = contacts.get(conversation.contact.id);
  return contact ? contact.value.companyId === filter.companyId : null;
}

/** Events of earlier versions do not have the field. */
function isSpam({ spam }: Partial<Conversation>): boolean {
  return spam ?? false;
}

function teamOf({ team }: Partial<Conversation>) {
  return team;
}

function agentOf({ agent }: Partial<Conversation>) {
  return agent;
}

function sleeps({ status, snoozedUntil }: Partial<Conversation>): boolean {
  return status === "pending" && (snoozedUntil ?? null) !== null;
}

function hasWoken({ wokeAt }: Partial<Conversation>): boolean {
  return (wokeAt ?? null) !== null;
}

const waiting = "waiting";

/** The order of a filter: most recently active first, or longest waiting first. Ids, which contain time, break ties. */
export function compare({ order }: Filter, a: Conversation, b: Conversation): number {
  const [one, other] = order === waiting ? [a.waitingSince ?? "", b.waitingSince ?? ""] : [b.lastActivityAt, a.lastActivityAt];
  if (one !== other) return one < other ? -1 : 1;
  if (a.id === b.id) return 0;
  return (order === waiting) === a.id < b.id ? -1 : 1;
}

/** Moves the conversation to its place in every list, or removes it. */
export function placeEverywhere(draft: Draft, id: string) {
  for (const [key, list] of draft.state.lists) {
    const next = placed(draft.state, list, id);
    if (next !== list) draft.map("lists").set(key, next);
  }
}

/**
 * The list with the conversation in its place; the same object if nothing moves. `told` says that the server includes
 * it in the list, for filters that cannot be evaluated here.
 */
export function placed(state: State, list: ConversationList, id: string, told = false): ConversationList {
  const conversation = state.conversations.get(id)?.value;
  if (!list.loaded || !conversation) return list;
  const at = list.ids.indexOf(id);
  const belongs = matches(list.filter, conversation, state.contacts) ?? (told || at >= 0);
  if (!belongs) return at < 0 ? list : { ...list, ids: list.ids.filter((other) => other !== id) };
  if (at >= 0 && inOrder(state, list, at)) return list;
  const rest = at < 0 ? list.ids : list.ids.filter((other) => other !== id);
  const to = insertionPoint(state, list.filter, rest, conversation);
  // There may be unloaded conversations between the last loaded one and this;
  // the next page will contain it.
  if (at < 0 && list.more && to === rest.length) return list;
  return { ...list, ids: [...rest.slice(0, to), id, ...rest.slice(to)] };
}

function inOrder(state: State, { filter, ids }: ConversationList, at: number): boolean {
  const value = (index: number) => state.conversations.get(ids[index] ?? "")?.value;
  const own = value(at);
  const before = value(at - 1);
  const after = value(at + 1);
  return own !== undefined && (!before || compare(filter, before, own) <= 0) && (!after || compare(filter, own, after) <= 0);
}

function insertionPoint(state: State, filter: Filter, ids: readonly string[], conversation: Conversation): number {
  let low = 0;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const other = state.conversations.get(ids[middle] ?? "")?.value;
    if (other && compare(filter, other, conversation) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Events of earlier versions do not have the field. */
function isMerged({ mergedInto }: Partial<Conversation>): boolean {
  return Boolean(mergedInto);
}
