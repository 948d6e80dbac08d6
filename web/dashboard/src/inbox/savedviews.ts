import type { SavedView } from "../api/types";
import { isAtLeast } from "../settings/roles";
import { useCell, useMe, useStore } from "../sync";

/** The member's own views, then those of everybody. */
export function useSavedViews(): readonly SavedView[] {
  return useCell(useStore().views.all, (all) => all);
}

/** How many conversations the pinned views have, by id. */
export function useViewCounts(): ReadonlyMap<string, number> {
  return useCell(useStore().views.counts, (counts) => counts);
}

/** Whether the member may share views with everybody, and change those. */
export function useMayShare(): boolean {
  return isAtLeast(useMe().role, "admin");
}
