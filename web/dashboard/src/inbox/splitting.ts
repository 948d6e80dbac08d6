// Where the open conversation is to be split.
import { createCell } from "../sync/cell";

/** The first message to take out, or "" while it is chosen; null while nobody splits. */
export const splitAt = createCell<string | null>(null);
