import { useLocation, useSearch } from "wouter";
import { api } from "../api/client";
import { useToast } from "../kit";
import { useStore } from "../sync";
import { texts } from "./merges.texts";
import { useDid } from "./undo";

const takeOut = (id: string) => api.post(`/v1/dashboard/conversations/${id}/unmerge`, {});

/**
 * Merges conversations into another one, one after the other, and offers to take that back. `of` names the customer.
 * If one of them cannot be merged, those before it stay merged.
 */
export function useMerging(): (ids: readonly string[], into: string, of: string, open: string) => Promise<void> {
  const store = useStore();
  const toast = useToast();
  const did = useDid();
  const [, navigate] = useLocation();
  const search = useSearch();
  return async (ids, into, of, open) => {
    const done: string[] = [];
    try {
      for (const id of ids) {
        await api.post(`/v1/dashboard/conversations/${id}/merge`, { intoId: into });
        done.push(id);
      }
    } catch (error) {
      toast.failed(error);
    }
    if (done.length === 0) return;
    did(texts.merged(done.length + 1, of), async () => {
      for (const id of done.toReversed()) await takeOut(id);
      if (open === into) return;
      await store.loadMessages(open); // until then, its id leads on
      navigate(`/inbox/${open}${search && `?${search}`}`);
    });
  };
}

/** Takes a merged conversation out of the one that shows it. */
export function useTakeOut(): (id: string) => void {
  const toast = useToast();
  return (id) => {
    takeOut(id).then(
      () => toast.done(texts.undone),
      (error: unknown) => toast.failed(error),
    );
  };
}
