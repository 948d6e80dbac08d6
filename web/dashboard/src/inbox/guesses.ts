import type { ContactDuplicate, LogEvent } from "../api/types";

/**
 * Whether an event may change the guesses about a contact that are shown. One
 * comes with a sign-in, goes with a merge or a dismissal, and shows the names of
 * both. Which ones went is not asked: they may be in an answer on its way.
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
