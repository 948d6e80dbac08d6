import type { SearchHit } from "../api/types";
import { inboxAddress, type View } from "../inbox/views";

/** The address of a hit: a message in its conversation, next to the list that was shown last. */
export function hitAddress(hit: SearchHit, view: View): string {
  if (hit.kind === "contact") return `/contacts/${hit.id}`;
  if (hit.kind === "company") return `/companies/${hit.id}`;
  return inboxAddress(view, hit.conversationId ?? "", hit.id);
}
