import type { SearchHit } from "../api/types";
import { inboxAddress, type View } from "../inbox/views";

/** Where a hit leads: a message to its place in the conversation, beside the list that was there. */
export function hitAddress(hit: SearchHit, view: View): string {
  if (hit.kind === "contact") return `/contacts/${hit.id}`;
  if (hit.kind === "company") return `/companies/${hit.id}`;
  return inboxAddress(view, hit.conversationId ?? "", hit.id);
}
