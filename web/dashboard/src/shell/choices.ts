// Each member's choices for this browser: how work continues, and how they are
// alerted.
import { readStored, writeStored } from "../kit/stored";
import { createCell, useCell, type Cell } from "../sync/cell";

/** Where to go when a conversation is finished. */
export type After = "next" | "stay" | "list";

export interface Choices {
  afterResolve: After;
  afterReply: After;
  sound: boolean;
  notices: boolean;
  /** How long a reply can be taken back before it is sent, in seconds; 0 sends it at once. */
  undoSend: number;
}

/** The times for which a reply may be held, in seconds. */
export const holds: readonly number[] = [0, 5, 10, 20];

const usual: Choices = { afterResolve: "next", afterReply: "stay", sound: false, notices: false, undoSend: 0 };

/** Reads choices from stored text; missing or unknown ones get their default. */
export function readChoices(text: string | null): Choices {
  let stored: Partial<Record<keyof Choices, unknown>> = {};
  try {
    const parsed: unknown = JSON.parse(text ?? "{}");
    if (typeof parsed === "object" && parsed !== null) stored = parsed;
  } catch {
    // Written by another program, or truncated: treated as missing.
  }
  const after = (value: unknown, otherwise: After): After => (value === "next" || value === "stay" || value === "list" ? value : otherwise);
  return {
    afterResolve: after(stored.afterResolve, usual.afterResolve),
    afterReply: after(stored.afterReply, usual.afterReply),
    sound: stored.sound === true,
    notices: stored.notices === true,
    undoSend: holds.find((seconds) => seconds === stored.undoSend) ?? usual.undoSend,
  };
}

const cells = new Map<string, Cell<Choices>>();
const keyOf = (memberId: string) => `parley.choices.${memberId}`;

/** The choices of a member, which other tabs may change. */
export function choicesOf(memberId: string): Cell<Choices> {
  const known = cells.get(memberId);
  if (known) return known;
  const cell = createCell(readChoices(readStored(keyOf(memberId))));
  window.addEventListener("storage", ({ key, newValue }) => key === keyOf(memberId) && cell.set(readChoices(newValue)));
  cells.set(memberId, cell);
  return cell;
}

export function useChoices(memberId: string): [Choices, (change: Partial<Choices>) => void] {
  const cell = choicesOf(memberId);
  const choices = useCell(cell, (all) => all);
  const change = (some: Partial<Choices>) => {
    cell.set({ ...cell.get(), ...some });
    writeStored(keyOf(memberId), JSON.stringify(cell.get()));
  };
  return [choices, change];
}
