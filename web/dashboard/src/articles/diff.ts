// The difference of two texts by lines, as an editor's history shows it.

export interface DiffLine {
  /** "same" is in both texts, "gone" only in the first, "new" only in the second. */
  kind: "same" | "gone" | "new";
  text: string;
}

/** The most steps of the search; texts that differ more are shown as replaced. */
const mostSteps = 500;

/** The lines of both texts in order. Time grows with their length, however different they are. */
export function diffLines(before: string, after: string): DiffLine[] {
  const a = before.split("\n");
  const b = after.split("\n");
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const same = (lines: readonly string[]) => lines.map((text): DiffLine => ({ kind: "same", text }));
  return [...same(a.slice(0, start)), ...middle(a.slice(start, a.length - end), b.slice(start, b.length - end)), ...same(a.slice(a.length - end))];
}

/** Myers' algorithm (1986): the shortest list of removed and added lines. */
function middle(a: readonly string[], b: readonly string[]): DiffLine[] {
  // reach[k] is how far in `a` a path with k more removed than added lines gets; trace has it before each step.
  const reach = new Map<number, number>([[1, 0]]);
  const trace: Map<number, number>[] = [];
  for (let steps = 0; steps <= Math.min(a.length + b.length, mostSteps); steps++) {
    trace.push(new Map([...reach].filter(([k]) => Math.abs(k) <= steps + 1)));
    for (let k = -steps; k <= steps; k += 2) {
      const down = k === -steps || (k !== steps && at(reach, k - 1) < at(reach, k + 1));
      let x = down ? at(reach, k + 1) : at(reach, k - 1) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      reach.set(k, x);
      if (x >= a.length && x - k >= b.length) return walk(a, b, trace);
    }
  }
  return [...a.map((text): DiffLine => ({ kind: "gone", text })), ...b.map((text): DiffLine => ({ kind: "new", text }))];
}

const at = (reach: ReadonlyMap<number, number>, k: number) => reach.get(k) ?? -1;

/** The path through both texts, found from its end. */
function walk(a: readonly string[], b: readonly string[], trace: readonly ReadonlyMap<number, number>[]): DiffLine[] {
  const lines: DiffLine[] = [];
  let x = a.length;
  let y = b.length;
  for (let steps = trace.length - 1; steps >= 0; steps--) {
    const reach = trace[steps] ?? new Map<number, number>();
    const k = x - y;
    const down = k === -steps || (k !== steps && at(reach, k - 1) < at(reach, k + 1));
    const from = down ? k + 1 : k - 1;
    const fromX = at(reach, from);
    const fromY = fromX - from;
    while (x > fromX && y > fromY && x > 0 && y > 0) {
      lines.push({ kind: "same", text: a[--x] ?? "" });
      y--;
    }
    if (steps === 0) break;
    if (down) lines.push({ kind: "new", text: b[--y] ?? "" });
    else lines.push({ kind: "gone", text: a[--x] ?? "" });
  }
  return lines.reverse();
}

/** Of the unchanged lines, only those near a change; `null` stands for left-out ones. */
export function nearChanges(lines: readonly DiffLine[], around = 2): (DiffLine | null)[] {
  const near = new Set<number>();
  lines.forEach(({ kind }, index) => {
    if (kind !== "same") for (let by = -around; by <= around; by++) near.add(index + by);
  });
  return lines.flatMap((line, index) => (near.has(index) ? [line] : near.has(index - 1) || index === 0 ? [null] : []));
}
