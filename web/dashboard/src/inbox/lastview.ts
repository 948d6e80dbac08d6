import { createCell } from "../sync/cell";
import { viewOf, type View } from "./views";

/** The list that this tab showed last, so that what is opened from elsewhere opens beside it. */
const last = createCell("?status=open");

export function rememberView(query: string) {
  last.set(query);
}

export function lastView(): View {
  return viewOf(new URLSearchParams(last.get()));
}
