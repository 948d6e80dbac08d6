import { createContext, useContext, useEffect, useState, type ReactNode } from "react";
import { useLatest } from "../kit/useLatest";
import { createCell, useCell, type Cell } from "../sync/cell";
import { createMatcher, keyName, shortcuts, typing, type ShortcutId } from "./shortcuts";

/** A command that is possible now, by its shortcut and from the palette. */
export interface Command {
  id: string;
  label: string;
  group: string;
  keys: string;
  run: () => void;
}

/** A command with the one that it stands in for, such as that of the open conversation while others are selected. */
interface Entry extends Command {
  below: Entry | undefined;
}
type Commands = Cell<ReadonlyMap<string, Entry>>;
const Context = createContext<Commands | null>(null);

function useCommandsCell(): Commands {
  const cell = useContext(Context);
  if (!cell) throw new Error("a command outside of CommandsProvider");
  return cell;
}

/** Holds the commands of the mounted components and runs them by their shortcuts. */
export function CommandsProvider({ children }: { children: ReactNode }) {
  const [cell] = useState<Commands>(() => createCell<ReadonlyMap<string, Entry>>(new Map()));
  useEffect(() => {
    const match = createMatcher();
    const pressed = (event: KeyboardEvent) => {
      const key = keyName(event);
      if (!key || event.defaultPrevented || (event.repeat && !["j", "k"].includes(key))) return;
      if (!key.startsWith("Mod+") && typing(event.target)) return;
      const id = match(key, event.timeStamp);
      // Enter belongs to the focused element.
      if (!id || id === "open" || id === "send" || id === "sendResolve") return;
      const command = cell.get().get(id);
      if (!command) return;
      event.preventDefault();
      command.run();
    };
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  }, [cell]);
  return <Context value={cell}>{children}</Context>;
}

/** Defines what a shortcut does while the component is mounted; null: nothing now. */
export function useCommand(id: ShortcutId, run: (() => void) | null, label?: string) {
  const { keys, label: usual, group } = shortcuts[id];
  useNamedCommand(run && { id, label: label ?? usual, group, keys, run });
}

/** A command of the palette, with or without a shortcut. */
export function useNamedCommand(command: Command | null) {
  const cell = useCommandsCell();
  const latest = useLatest(command);
  const id = command?.id;
  const label = command?.label;
  useEffect(() => {
    const now = latest.current;
    if (id === undefined || !now) return;
    const entry: Entry = { ...now, run: () => latest.current?.run(), below: cell.get().get(id) };
    cell.update((old) => new Map(old).set(id, entry));
    return () => cell.update((old) => without(old, entry));
  }, [cell, id, label, latest]);
}

/** The commands without one, in whose place comes the one below it. */
function without(all: ReadonlyMap<string, Entry>, gone: Entry): ReadonlyMap<string, Entry> {
  const top = all.get(gone.id);
  if (top !== gone) {
    for (let above = top; above; above = above.below) if (above.below === gone) above.below = gone.below;
    return all;
  }
  const next = new Map(all);
  if (gone.below) next.set(gone.id, gone.below);
  else next.delete(gone.id);
  return next;
}

/** Returns what does as a shortcut does now. */
export function useRun(id: ShortcutId): () => void {
  const cell = useCommandsCell();
  return () => cell.get().get(id)?.run();
}

export function useCommands(): readonly Command[] {
  const all = useCell(useCommandsCell(), (commands) => commands);
  return [...all.values()];
}
