import { createCell } from "../sync/cell";
import { viewOf, type View } from "./views";

/** The list that this tab showed last. A conversation that is opened from elsewhere opens next to it. */
const last = createCell("?status=open");

export function rememberView(query: string) {
  last.set(query);
}

export function lastView(): View {
  return viewOf(new URLSearchParams(last.get()));
}
