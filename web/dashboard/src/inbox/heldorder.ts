// The displayed order of a list while a member works in it. The live order
// changes in the meantime; the displayed one changes when the member is done.

/** What a held list shows: its rows in order, and what it holds back. */
export interface Held {
  ids: readonly string[];
  /** Of the rows, those that do not belong to the list any more. */
  gone: ReadonlySet<string>;
  /** How many conversations besides the current one are new to the list, or moved up in it. */
  news: number;
}

/**
 * The live order, except that the current row keeps its place among its neighbours: answering or resolving a
 * conversation must not move it away.
 */
export function arrange(live: readonly string[], shown: readonly string[], current: string | undefined): readonly string[] {
  const at = current === undefined ? -1 : shown.indexOf(current);
  if (current === undefined || at < 0) return live;
  const there = new Set(live);
  there.delete(current);
  const rest = live.filter((id) => id !== current);
  const after = shown.slice(at + 1).find((id) => there.has(id));
  const before = shown.slice(0, at).findLast((id) => there.has(id));
  const to = after !== undefined ? rest.indexOf(after) : before !== undefined ? rest.indexOf(before) + 1 : 0;
  return [...rest.slice(0, to), current, ...rest.slice(to)];
}

/** The displayed order unchanged, with the pages that were loaded after it. */
export function hold(live: readonly string[], shown: readonly string[], current?: string): Held {
  const there = new Set(live);
  const known = new Set(shown);
  let end = live.length;
  while (end > 0 && !known.has(live[end - 1] ?? "")) end--;
  // Rows before the first known one are not a next page, however few are known.
  const tail = end === 0 ? [] : live.slice(end);
  return { ids: tail.length > 0 ? [...shown, ...tail] : shown, gone: new Set(shown.filter((id) => !there.has(id))), news: countNews(live.slice(0, end || live.length), shown, current) };
}

/** How many conversations are not displayed, or are now before one that is displayed above them. */
function countNews(live: readonly string[], shown: readonly string[], current: string | undefined): number {
  const places = new Map(shown.map((id, index) => [id, index]));
  let news = 0;
  let highest = shown.length;
  for (const id of live.toReversed()) {
    const place = places.get(id);
    if (place !== undefined && place <= highest) highest = place;
    else if (id !== current) news++;
  }
  return news;
}

/** The row `by` steps from a place, skipping rows that are gone; undefined if there is none in that direction. */
export function neighbour({ ids, gone }: Pick<Held, "ids" | "gone">, current: string | undefined, by: 1 | -1): string | undefined {
  const at = current === undefined ? -1 : ids.indexOf(current);
  if (at < 0) return ids.find((id) => !gone.has(id));
  for (let next = at + by; next >= 0 && next < ids.length; next += by) {
    const id = ids[next] ?? "";
    if (!gone.has(id)) return id;
  }
  return undefined;
}

/** The row to open after the current one is finished: the next, or the one before if it was the last. */
export function nextPlace(held: Pick<Held, "ids" | "gone">, current: string): string | undefined {
  if (!held.ids.includes(current)) return undefined;
  return neighbour(held, current, 1) ?? neighbour(held, current, -1);
}
