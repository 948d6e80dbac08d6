// Drops parts of the state: a tab is open all day, and what is no longer on
// display is read again when it is needed.
import { forgetKnowledge } from "./knowledge";
import { Draft, type Entry, type State, type TableName } from "./state";

/** The keys of the parts that are on display, or were recently: "list:…", "messages:…", "contact:…", "company:…", "knowledge", "centers", "article:…". */
export type Kept = ReadonlySet<string>;

/**
 * The state without lists and logs that are not kept, and without the records that only those showed. Records that an
 * event changed after `since` stay. `since` is the position at which the oldest unanswered read started, whose answer
 * may contain the record as it was before.
 */
export function forget(state: State, kept: Kept, since: number): State {
  const draft = new Draft(state);
  for (const key of state.lists.keys()) if (!kept.has(`list:${key}`)) draft.map("lists").delete(key);
  for (const id of state.messages.keys()) if (!kept.has(`messages:${id}`)) draft.map("messages").delete(id);
  const shown = new Set(draft.state.messages.keys());
  for (const list of draft.state.lists.values()) for (const id of list.ids) shown.add(id);
  drop(draft, "conversations", shown, since);
  drop(draft, "previews", shown, since);
  drop(draft, "contacts", contactsOf(draft.state, shown, kept), since);
  drop(draft, "companies", named(kept, "company:"), since);
  if (draft.state.knows && ![...kept].some((key) => key === "knowledge" || key === "centers" || key.startsWith("article:"))) forgetKnowledge(draft);
  return draft.state;
}

/** The contacts that are on display, those of open conversations, and those that decide about lists by company. */
function contactsOf(state: State, shown: ReadonlySet<string>, kept: Kept): ReadonlySet<string> {
  const contacts = new Set<string>();
  for (const id of named(kept, "contact:")) contacts.add(state.merged.get(id) ?? id);
  const byCompany = [...state.lists.values()].some((list) => list.filter.companyId);
  for (const id of byCompany ? shown : state.messages.keys()) {
    const conversation = state.conversations.get(id)?.value;
    if (conversation) contacts.add(conversation.contact.id);
  }
  return contacts;
}

function named(kept: Kept, prefix: string): ReadonlySet<string> {
  return new Set([...kept].flatMap((key) => (key.startsWith(prefix) ? [key.slice(prefix.length)] : [])));
}

function drop(draft: Draft, name: TableName, stays: ReadonlySet<string>, since: number) {
  for (const [id, { seq }] of draft.state[name] as ReadonlyMap<string, Entry<unknown>>) {
    if (!stays.has(id) && seq <= since) draft.map(name).delete(id);
  }
}
