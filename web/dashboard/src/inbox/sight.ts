// Which members see a conversation; the server's rule is in visibility.go.
import type { Conversation, Member, Team } from "../api/types";

/** Whether a member sees a conversation. Mentions and follows let nobody see one. */
export function seesIt(member: Member, teams: readonly Team[], { inbox, team, assignee }: Pick<Conversation, "inbox" | "team" | "assignee">): boolean {
  return member.access === "all" || assignee?.id === member.id || member.inboxIds.includes(inbox.id) || teams.some(({ id, memberIds }) => id === team?.id && memberIds.includes(member.id));
}
