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
  /** The width of the contact beside the conversation, in pixels. */
  contactWidth: number;
}

export type Pane = "listWidth" | "contactWidth";

/** The widths that the panes can have: a name and a time fit, and the conversation keeps its space. */
export const widths: Record<Pane, { least: number; usual: number; most: number }> = {
  listWidth: { least: 280, usual: 350, most: 640 },
  contactWidth: { least: 240, usual: 300, most: 560 },
};

const key = "parley.layout";

function read(): Layout {
  const usual: Layout = { compact: false, folded: false, listWidth: widths.listWidth.usual, contactWidth: widths.contactWidth.usual };
  try {
    const stored = JSON.parse(readStored(key) ?? "{}") as Partial<Layout> | null;
    return { compact: stored?.compact === true, folded: stored?.folded === true, listWidth: within("listWidth", stored?.listWidth), contactWidth: within("contactWidth", stored?.contactWidth) };
  } catch {
    return usual;
  }
}

function within(pane: Pane, width: number | undefined): number {
  const { least, usual, most } = widths[pane];
  return width !== undefined && Number.isFinite(width) ? Math.round(Math.min(most, Math.max(least, width))) : usual;
}

const layout = createCell(read());

export const useLayout = () => useCell(layout, (all) => all);

export function changeLayout(change: Partial<Layout>) {
  const next = { ...layout.get(), ...change };
  next.listWidth = within("listWidth", next.listWidth);
  next.contactWidth = within("contactWidth", next.contactWidth);
  layout.set(next);
  writeStored(key, JSON.stringify(next));
}
