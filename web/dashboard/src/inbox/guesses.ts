import type { ContactDuplicate, LogEvent } from "../api/types";

/**
 * Whether an event may change the displayed duplicates of a contact. A duplicate appears with a sign-in, disappears
 * with a merge or a dismissal, and shows the names of both contacts. The event need not match one, because a duplicate
 * may be in an answer that has not arrived.
 */
export function concerns(event: LogEvent, contactId: string, shown: readonly ContactDuplicate[]): boolean {
  switch (event.type) {
    case "contact_duplicate.created": {
      const { contact, other } = event.data;
      return contact.id === contactId || other.id === contactId;
    }
    case "contact_duplicate.deleted":
      return true;
    case "contact.updated": {
      const { id } = event.data;
      return shown.some(({ contact, other }) => contact.id === id || other.id === id);
    }
    default:
      return false;
  }
}
