// Applies events to the state. Pure: the same state and events always give the
// same next state.
import type { AssigneeRef, Company, Contact, ContactRef, Conversation, EventOf, HiddenEvent, Inbox, LogEvent, Member, Product, Ref, Team } from "../api/types";
import { dropContact, dropConversation, dropMessage, hideConversation, splitOff } from "./deleted";
import { applyKnowledge } from "./knowledge";
import { placeEverywhere } from "./lists";
import { insertMessage, previewOf } from "./messages";
import { Draft, type CheckedEvent, type State } from "./state";

/** Applies events in order. Those that are already part of the state are skipped. */
export function reduce(state: State, events: readonly CheckedEvent[]): State {
  const draft = new Draft(state);
  for (const event of events) {
    if (event.seq <= draft.state.seq) continue;
    apply(draft, event); // a member may also be told that a conversation left the view
    draft.state.seq = event.seq;
    draft.state.check = event.check ?? "";
  }
  return draft.state;
}

function apply(draft: Draft, event: LogEvent | HiddenEvent) {
  switch (event.type) {
    case "conversation.created":
      // It has no messages yet; later ones arrive as events.
      draft.put("previews", event.data.id, null, event.seq);
      return putConversation(draft, event.data, event.seq);
    case "conversation.updated":
      return putConversation(draft, event.data, event.seq);
    case "message.created":
      return messageCreated(draft, event);
    case "message.updated":
      return insertMessage(draft, event.data, event.seq);
    case "contact.created":
    case "contact.updated":
      return putContact(draft, event.data, event.seq);
    case "contact.merged":
      return mergeContact(draft, event.data);
    case "company.created":
    case "company.updated":
      return putCompany(draft, event.data, event.seq);
    case "contact_duplicate.created":
    case "contact_duplicate.deleted":
      return; // not part of the state: the store reads duplicates when a component asks
    case "conversation.hidden":
      return hideConversation(draft, event.conversationId, event.seq);
    case "conversation.deleted":
      return dropConversation(draft, event.data.id);
    case "message.deleted":
      return dropMessage(draft, event.conversationId, event.data.id);
    case "contact.deleted":
      return dropContact(draft, event.data.id);
    case "team.created":
    case "team.updated":
      return putTeam(draft, event.data, event.seq);
    case "team.deleted":
      return dropTeam(draft, event.data.id);
    case "article.created":
    case "article.updated":
    case "article.deleted":
    case "article_category.created":
    case "article_category.updated":
    case "article_category.deleted":
    case "help_center.created":
    case "help_center.updated":
    case "help_center.deleted":
      return applyKnowledge(draft, event);
    case "conversation.merged":
      draft.map("merged").set(event.data.id, event.data.intoId);
      return draft.want(event.data.intoId);
    case "conversation.unmerged":
      draft.map("merged").delete(event.data.id);
      draft.want(event.data.id);
      return draft.want(event.data.intoId);
    case "conversation.split":
      return splitOff(draft, event);
    case "view.created":
    case "view.updated":
    case "view.deleted":
    case "macro.created":
    case "macro.updated":
    case "macro.deleted":
    case "scheduled_message.created":
    case "scheduled_message.updated":
    case "scheduled_message.deleted":
      return; // not part of the state
    default:
      return applySetting(draft, event);
  }
}

type SettingEvent = Exclude<
  LogEvent,
  { type: `${"conversation" | "message" | "contact" | "company" | "contact_duplicate" | "article" | "article_category" | "help_center" | "team" | "view" | "macro" | "scheduled_message"}.${string}` }
>;

/** The small tables of the workspace. */
function applySetting(draft: Draft, event: SettingEvent) {
  const { seq } = event;
  switch (event.type) {
    case "product.created":
    case "product.updated":
      return putProduct(draft, event.data, seq);
    case "inbox.created":
    case "inbox.updated":
      return putInbox(draft, event.data, seq);
    case "member.created":
    case "member.updated":
      return putMember(draft, event.data, seq);
    case "member.removed":
      return removeMember(draft, event.data, seq);
    case "number.created":
    case "number.updated":
      return void draft.put("numbers", event.data.id, event.data, seq);
    case "label.created":
    case "label.updated":
      return void draft.put("labels", event.data.name, event.data, seq);
    case "label.deleted":
      return void draft.map("labels").delete(event.data.name);
    case "canned_answer.created":
    case "canned_answer.updated":
      return void draft.put("cannedAnswers", event.data.id, event.data, seq);
    case "canned_answer.deleted":
      return void draft.map("cannedAnswers").delete(event.data.id);
    case "workspace.updated":
      draft.state.workspace = event.data;
      return;
    default:
      return passOver(event);
  }
}

/** For events of a newer server. The type requires that each documented event has a case above. */
function passOver(_: never) {}

/** Stores a conversation and moves it to its place in the lists, unless a newer one is known. */
export function putConversation(draft: Draft, conversation: Conversation, seq: number) {
  if (draft.put("conversations", conversation.id, withNewerRefs(draft.state, conversation, seq), seq)) placeEverywhere(draft, conversation.id);
}

/** Stores a contact and updates the conversations that show it. */
export function putContact(draft: Draft, contact: Contact, seq: number) {
  if (!draft.put("contacts", contact.id, withNewerCompany(draft.state, contact, seq), seq)) return;
  const shown = contactRef(contact);
  changeConversations(
    draft,
    (conversation) => conversation.contact.id === contact.id,
    (conversation) => (sameRef(conversation.contact, shown) ? conversation : { ...conversation, contact: shown }),
  );
  // Only lists by company depend on the contact.
  if (![...draft.state.lists.values()].some((list) => list.filter.companyId)) return;
  for (const [id, entry] of draft.state.conversations) if (entry.value.contact.id === contact.id) placeEverywhere(draft, id);
}

export function putCompany(draft: Draft, company: Company, seq: number) {
  if (!draft.put("companies", company.id, company, seq)) return;
  for (const [id, entry] of draft.state.contacts) {
    const { value } = entry;
    if (value.company?.id === company.id && value.company.name !== company.name) {
      draft.map("contacts").set(id, { ...entry, value: { ...value, company: { id: company.id, name: company.name } } });
    }
  }
}

function putProduct(draft: Draft, product: Product, seq: number) {
  if (!draft.put("products", product.id, product, seq)) return;
  changeConversations(
    draft,
    (conversation) => conversation.product?.id === product.id,
    (conversation) => ({ ...conversation, product: { id: product.id, name: product.name } }),
  );
}

function putInbox(draft: Draft, inbox: Inbox, seq: number) {
  if (!draft.put("inboxes", inbox.id, inbox, seq)) return;
  changeConversations(
    draft,
    (conversation) => conversation.inbox.id === inbox.id,
    (conversation) => ({ ...conversation, inbox: { id: inbox.id, name: inbox.name, channelType: inbox.channelType } }),
  );
}

function putMember(draft: Draft, member: Member, seq: number) {
  if (!draft.put("members", member.id, member, seq)) return;
  if (draft.state.formerMembers.has(member.id)) draft.map("formerMembers").delete(member.id);
  changeConversations(
    draft,
    (conversation) => conversation.assignee?.id === member.id,
    (conversation) => ({ ...conversation, assignee: assigneeRef(member) }),
  );
}

/** A member who left stays known by name, because messages and conversations still show it. */
function removeMember(draft: Draft, member: Member, seq: number) {
  draft.map("members").delete(member.id);
  draft.put("formerMembers", member.id, member, seq);
  for (const [id, entry] of draft.state.teams) {
    const { value } = entry;
    if (seq <= entry.seq || !value.memberIds.includes(member.id)) continue;
    draft.map("teams").set(id, { ...entry, value: { ...value, memberIds: value.memberIds.filter((other) => other !== member.id) } });
  }
}

function putTeam(draft: Draft, team: Team, seq: number) {
  if (!draft.put("teams", team.id, team, seq)) return;
  changeConversations(
    draft,
    (conversation) => teamOf(conversation)?.id === team.id,
    (conversation) => ({ ...conversation, team: { id: team.id, name: team.name } }),
  );
}

/** The conversations of a deleted team have none. */
function dropTeam(draft: Draft, teamId: string) {
  draft.map("teams").delete(teamId);
  const left = changeConversations(
    draft,
    (conversation) => teamOf(conversation)?.id === teamId,
    (conversation) => ({ ...conversation, team: null }),
  );
  for (const id of left) placeEverywhere(draft, id);
}

/** Events of earlier versions do not have the field. */
function teamOf({ team }: Partial<Conversation>) {
  return team ?? null;
}

/** From now on, conversations and messages of the loser belong to the winner. */
function mergeContact(draft: Draft, { id: loser, intoId: winner }: { id: string; intoId: string }) {
  const merged = draft.map("merged");
  merged.set(loser, winner);
  for (const [id, into] of merged) if (into === loser) merged.set(id, winner);
  draft.map("contacts").delete(loser);
  const known = draft.state.contacts.get(winner)?.value;
  const moved = changeConversations(
    draft,
    (conversation) => conversation.contact.id === loser,
    (conversation) => ({ ...conversation, contact: known ? contactRef(known) : { ...conversation.contact, id: winner } }),
  );
  for (const id of moved) {
    placeEverywhere(draft, id);
    if (!known) draft.want(id);
    const log = draft.state.messages.get(id);
    if (log) {
      const items = log.items.map((entry) => (entry.value.senderId === loser ? { ...entry, value: { ...entry.value, senderId: winner } } : entry));
      draft.map("messages").set(id, { ...log, items });
    }
  }
}

function messageCreated(draft: Draft, event: EventOf<"message.created">) {
  const { data: message } = event;
  insertMessage(draft, message, event.seq);
  const id = message.conversationId; // a merged conversation gets no new ones
  if (event.moved?.lastActivityAt === message.createdAt) draft.put("previews", id, previewOf(message), event.seq);
  const wrote = message.messageType === "incoming" && event.moved !== undefined && event.moved.contactLastActivityAt !== null;
  if (wrote && draft.state.unread.get(id)?.value !== "marked") draft.put("unread", id, "new", event.seq);
  const entry = draft.state.conversations.get(id);
  if (!entry) {
    // It may now be at the top of a list on display.
    if (draft.state.lists.size > 0) draft.want(id);
    return;
  }
  if (!event.moved) return;
  const { contactLastActivityAt, ...moved } = event.moved;
  if (event.seq > entry.seq) {
    draft.map("conversations").set(id, { value: { ...entry.value, ...moved }, seq: event.seq });
    placeEverywhere(draft, id);
  }
  const contact = draft.state.contacts.get(entry.value.contact.id);
  if (contact && contactLastActivityAt && event.seq > contact.seq) {
    draft.map("contacts").set(contact.value.id, { value: { ...contact.value, lastActivityAt: contactLastActivityAt }, seq: event.seq });
  }
}

/**
 * Changes the conversations that `which` selects, and returns their ids. Their seq stays, because the rest of them is
 * as old as before.
 */
function changeConversations(draft: Draft, which: (conversation: Conversation) => boolean, change: (conversation: Conversation) => Conversation): string[] {
  const changed: string[] = [];
  for (const [id, entry] of draft.state.conversations) {
    if (!which(entry.value)) continue;
    const value = change(entry.value);
    if (value === entry.value) continue;
    changed.push(id);
    draft.map("conversations").set(id, { ...entry, value });
  }
  return changed;
}

/** The conversation with its references to other records, updated from those that are known from a later position. */
function withNewerRefs(state: State, conversation: Conversation, seq: number): Conversation {
  const into = state.merged.get(conversation.contact.id) ?? conversation.contact.id;
  const contact = state.contacts.get(into);
  const inbox = state.inboxes.get(conversation.inbox.id);
  const product = conversation.product && state.products.get(conversation.product.id);
  const assignee = conversation.assignee && state.members.get(conversation.assignee.id);
  return {
    ...conversation,
    contact: contact && (contact.seq > seq || into !== conversation.contact.id) ? contactRef(contact.value) : { ...conversation.contact, id: into },
    inbox: inbox && inbox.seq > seq ? { ...conversation.inbox, name: inbox.value.name } : conversation.inbox,
    product: product && product.seq > seq ? { id: product.value.id, name: product.value.name } : conversation.product,
    assignee: assignee && assignee.seq > seq ? assigneeRef(assignee.value) : conversation.assignee,
    team: withNewerTeam(state, teamOf(conversation), seq),
  };
}

/** A team that is not known at a later position was deleted. */
function withNewerTeam(state: State, team: Ref | null, seq: number): Ref | null {
  const known = team && state.teams.get(team.id);
  if (known) return known.seq > seq ? { id: known.value.id, name: known.value.name } : team;
  return state.seq > seq ? null : team;
}

function withNewerCompany(state: State, contact: Contact, seq: number): Contact {
  const company = contact.company && state.companies.get(contact.company.id);
  return company && company.seq > seq ? { ...contact, company: { id: company.value.id, name: company.value.name } } : contact;
}

function contactRef({ id, name, email, phoneNumber, shopName }: Contact): ContactRef {
  return { id, name, email, phoneNumber, shopName };
}

function assigneeRef({ id, name, image }: Member): AssigneeRef {
  return { id, name, image };
}

function sameRef(a: ContactRef, b: ContactRef): boolean {
  return a.name === b.name && a.email === b.email && a.phoneNumber === b.phoneNumber && a.shopName === b.shopName;
}
