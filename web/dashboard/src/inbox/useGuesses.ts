import { useEffect } from "react";
import type { ContactDuplicate, List } from "../api/types";
import { useQuery } from "../api/useQuery";
import { useCell, useOnEvent, useStore } from "../sync";
import { concerns } from "./guesses";

export const guessesPath = "/v1/dashboard/contact-duplicates";
/** The most that the server lists at once. If there are more, each contact's duplicates are read on their own. */
const most = 200;

/**
 * The possible duplicates of a contact. A workspace has few, so all of them are read once and kept: opening a
 * conversation causes no request.
 */
export function useGuesses(contactId: string): { found: readonly ContactDuplicate[]; without: (gone: ContactDuplicate) => void } {
  const store = useStore();
  const all = useCell(store.guesses, (value) => value);
  const many = all !== null && all.length >= most;
  const own = useQuery<List<ContactDuplicate>>(many ? guessesPath : null, { contactId });
  useEffect(() => {
    if (all === null) void store.loadGuesses();
  }, [store, all, contactId]);
  const found = many ? (own.data?.data ?? []) : (all ?? []).filter(({ contact, other }) => contact.id === contactId || other.id === contactId);
  useOnEvent((event) => {
    if (many && concerns(event, contactId, found)) own.reload();
  });
  const without = (gone: ContactDuplicate) => {
    store.guesses.update((old) => old && old.filter(({ id }) => id !== gone.id));
    if (own.data) own.set({ data: own.data.data.filter(({ id }) => id !== gone.id) });
  };
  return { found, without };
}
