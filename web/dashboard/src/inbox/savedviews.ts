import type { SavedView } from "../api/types";
import { isAtLeast } from "../settings/roles";
import { useCell, useMe, useStore, useTeams } from "../sync";
import { texts } from "./savedviews.texts";

/** The member's own views, then those of teams and of everybody. */
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

/** Who may have a view that the member saves: a scope, or the id of a team. */
export function useOwners(): { value: string; label: string }[] {
  const me = useMe();
  const mayShare = useMayShare();
  const teams = useTeams().filter(({ memberIds }) => mayShare || memberIds.includes(me.id));
  return [{ value: "own", label: texts.onlyMe }, ...teams.map(({ id, name }) => ({ value: id, label: texts.team(name) })), ...(mayShare ? [{ value: "all", label: texts.everybody }] : [])];
}

/** What the server is told of an owner. */
export function ownerOf(value: string): { scope: SavedView["scope"]; teamId?: string } {
  return value === "own" || value === "all" ? { scope: value } : { scope: "team", teamId: value };
}
