import { readStored, writeStored } from "../kit/stored";
import { createCell, useCell } from "../sync/cell";
import type { SavedView } from "./views";

const key = "parley.views";

function read(): readonly SavedView[] {
  try {
    const list: unknown = JSON.parse(readStored(key) ?? "[]");
    if (!Array.isArray(list)) return [];
    return list.filter((one: Partial<SavedView> | null): one is SavedView => typeof one?.name === "string" && typeof one.query === "string");
  } catch {
    return [];
  }
}

const views = createCell(read());

function write(next: readonly SavedView[]) {
  views.set(next);
  writeStored(key, JSON.stringify(next));
}

/** The views that were saved in this browser. */
export function useSavedViews() {
  const saved = useCell(views, (all) => all);
  return {
    saved,
    save: (view: SavedView) => write([...views.get().filter((one) => one.query !== view.query), view]),
    remove: (query: string) => write(views.get().filter((one) => one.query !== query)),
  };
}
