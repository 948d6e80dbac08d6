// The filters of the inbox and their addresses: /inbox?status=open&assigneeId=me.
import type { SavedView } from "../api/types";
import { labelSeparator, labelsOf, type Filter } from "../sync";
import { texts as snoozeTexts } from "./snooze.texts";
import { texts } from "./texts";
import { statusNames } from "./valuename";

/** A filter as the address names it; `assigneeId=me` is the member who reads it. */
export type View = Filter;

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
] as const satisfies readonly (keyof Filter)[];

export function viewOf(params: URLSearchParams): View {
  const view: View = {};
  for (const name of names) {
    const value = name === "label" ? params.getAll(name).join(labelSeparator) : params.get(name);
    if (value) view[name] = value;
  }
  return view;
}

/** The query of an address: "" for no filter, otherwise with its question mark. */
export function viewQuery(view: View): string {
  const params = new URLSearchParams();
  for (const name of names) {
    if (name === "label") for (const label of labelsOf(view)) params.append(name, label);
    else if (view[name]) params.set(name, view[name]);
  }
  const text = params.toString();
  return text === "" ? "" : `?${text}`;
}

/** The address of a list, with an open conversation, at one of its messages. */
export function inboxAddress(view: View, conversationId?: string, messageId?: string): string {
  const query = viewQuery(view);
  const at = conversationId && messageId ? `${query === "" ? "?" : "&"}message=${encodeURIComponent(messageId)}` : "";
  return `/inbox${conversationId ? `/${conversationId}` : ""}${query}${at}`;
}

/** The filter that the server is asked with. */
export function filterOf(view: View, meId: string): Filter {
  return view.assigneeId === "me" ? { ...view, assigneeId: meId } : view;
}

export function sameView(a: View, b: View): boolean {
  return viewQuery(a) === viewQuery(b);
}

export const builtIn = [
  { id: "open", name: texts.views.allOpen, view: { status: "open" } },
  { id: "mine", name: texts.views.mine, view: { status: "open", assigneeId: "me" } },
  { id: "unassigned", name: texts.views.unassigned, view: { status: "open", assigneeId: "none" } },
  { id: "waiting", name: texts.views.waiting, view: { status: "open", order: "waiting" } },
  { id: "pending", name: texts.views.pending, view: { status: "pending" } },
  { id: "snoozed", name: snoozeTexts.snoozedView, view: { status: "pending", snoozed: "true" } },
  { id: "back", name: snoozeTexts.backView, view: { status: "open", woke: "true" } },
  { id: "resolved", name: texts.views.resolved, view: { status: "resolved" } },
  { id: "spam", name: texts.views.spam, view: { spam: "true" } },
  { id: "handedover", name: texts.views.handedOver, view: { agent: "handed_over" } },
] as const satisfies readonly { id: string; name: string; view: View }[];

/** The filter of a saved view. */
export function savedFilter({ query }: Pick<SavedView, "query">): View {
  return viewOf(new URLSearchParams(query));
}

/** The name of a view for titles: its own, or one made of its filters. */
export function viewName(view: View, saved: readonly Pick<SavedView, "name" | "query">[], nameOf: (name: keyof Filter, value: string) => string): string {
  const known = builtIn.find((one) => sameView(one.view, view)) ?? saved.find((one) => sameView(savedFilter(one), view));
  if (known) return known.name;
  const parts = names.flatMap((name) => (view[name] && name !== "status" ? [nameOf(name, view[name])] : []));
  if (view.status && !(view.status === "open" && parts.length > 0)) parts.push(statusNames[view.status] ?? view.status);
  return parts.length === 0 ? texts.views.allConversations : parts.map((part, index) => (index === 0 ? part.charAt(0).toUpperCase() + part.slice(1) : part)).join(" · ");
}
