import { useEffect } from "react";
import type { ContactDuplicate, List } from "../api/types";
import { useQuery } from "../api/useQuery";
import { useCell, useOnEvent, useStore } from "../sync";
import { concerns } from "./guesses";

export const guessesPath = "/v1/dashboard/contact-duplicates";
/** The server lists no more at once; where there are so many, each contact's are asked for. */
const most = 200;

/**
 * The guesses that a contact is here twice. There are few in a workspace, so all of them are read once and kept:
 * opening a conversation asks for nothing.
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
