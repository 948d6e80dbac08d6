// Applies the events about how members share and order their work. Each of their
// subjects has a file in this folder.
import type { LogEvent } from "../../api/types";
import type { Draft } from "../state";

/** The events of this folder. */
export type WorkEvent = Extract<LogEvent, { type: "conversation.merged" | "conversation.split" | `${"team" | "view" | "macro" | "scheduled_message"}.${string}` }>;

/** Applies one event. */
export function applyWork(_: Draft, event: WorkEvent) {
  switch (event.type) {
    case "conversation.merged":
    case "conversation.split":
    case "team.created":
    case "team.updated":
    case "team.deleted":
    case "view.created":
    case "view.updated":
    case "view.deleted":
    case "macro.created":
    case "macro.updated":
    case "macro.deleted":
    case "scheduled_message.created":
    case "scheduled_message.updated":
    case "scheduled_message.deleted":
      return; // not part of the state yet
  }
}
