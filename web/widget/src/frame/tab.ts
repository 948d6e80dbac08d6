import { drawer, drawerName } from "./keep";
import type { Pending, View } from "./state";
import type { Customer } from "./types";

/** What is stored for an inbox in this tab, for the pages of one origin only. */
export function tabOf(inboxId: string, page: string) {
  return {
    drafts: drawer<Record<string, string>>("session", drawerName(inboxId, page, "drafts")),
    outbox: drawer<readonly Pending[]>("session", drawerName(inboxId, page, "outbox")),
    person: drawer<Pick<Customer, "id" | "identified">>("session", drawerName(inboxId, page, "customer")),
    place: drawer<View>("session", drawerName(inboxId, page, "view")),
  };
}

export type Tab = ReturnType<typeof tabOf>;
