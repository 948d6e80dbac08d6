// How this browser lays out the pages: dense rows, widths, the folded navigation.
import { readStored, writeStored } from "../kit/stored";
import { createCell, useCell } from "../sync/cell";

export interface Layout {
  /** Rows of one line. */
  compact: boolean;
  /** The navigation is folded to its button. */
  folded: boolean;
  /** The width of the list, in pixels. */
  listWidth: number;
}

/** The widths that the list can have: a name and a time fit, and the conversation keeps its space. */
export const listWidths = { least: 280, usual: 350, most: 640 };

const key = "parley.layout";

function read(): Layout {
  const usual: Layout = { compact: false, folded: false, listWidth: listWidths.usual };
  try {
    const stored = JSON.parse(readStored(key) ?? "{}") as Partial<Layout> | null;
    return { compact: stored?.compact === true, folded: stored?.folded === true, listWidth: within(stored?.listWidth ?? usual.listWidth) };
  } catch {
    return usual;
  }
}

function within(width: number): number {
  return Number.isFinite(width) ? Math.round(Math.min(listWidths.most, Math.max(listWidths.least, width))) : listWidths.usual;
}

const layout = createCell(read());

export const useLayout = () => useCell(layout, (all) => all);

export function changeLayout(change: Partial<Layout>) {
  const next = { ...layout.get(), ...change };
  next.listWidth = within(next.listWidth);
  layout.set(next);
  writeStored(key, JSON.stringify(next));
}
