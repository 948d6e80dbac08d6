// What a change of a conversation is called, for the notification of it.
import type { Conversation, ConversationChange } from "../api/types";
import { dayTime } from "../kit";
import type { State } from "../sync/state";
import { priorityNames } from "./Priority";
import { contactName } from "./Row";
import { texts as snoozing } from "./snooze.texts";
import { texts as inbox } from "./texts";
import { texts } from "./undo.texts";

/** What the member did to the conversation, and whose it is: the next one may be on display by then. */
export function said(state: State, conversation: Conversation, change: ConversationChange): string {
  return texts.of(sentence(state, change), contactName(conversation.contact));
}

function sentence({ members, teams, products }: State, change: ConversationChange): string {
  const { snoozedUntil, spam, status, assigneeId, teamId, priority, productId, labels } = change;
  const name = (records: ReadonlyMap<string, { value: { name: string } }>, id: string) => records.get(id)?.value.name ?? id;
  if (snoozedUntil) return snoozing.snoozed(dayTime(snoozedUntil));
  if (snoozedUntil === null && !status) return texts.woken;
  if (spam !== undefined) return spam ? inbox.moreMenu.marked : texts.noSpam;
  if (status) return texts[status];
  if (assigneeId !== undefined) return assigneeId === null ? texts.unassigned : texts.assigned(name(members, assigneeId));
  if (teamId !== undefined) return teamId === null ? texts.noTeam : texts.team(name(teams, teamId));
  if (priority !== undefined) return priority === null ? texts.noPriority : texts.priority(priorityNames[priority]);
  if (productId !== undefined) return productId === null ? texts.noProduct : texts.product(name(products, productId));
  return labels?.length ? texts.labels(labels.join(", ")) : texts.noLabels;
}
