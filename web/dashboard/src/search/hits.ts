import type { SearchHit } from "../api/types";

/** Where a hit leads. */
export function hitAddress(hit: SearchHit): string {
  if (hit.kind === "contact") return `/contacts/${hit.id}`;
  if (hit.kind === "company") return `/companies/${hit.id}`;
  return `/inbox/${hit.conversationId ?? ""}`;
}
