// Which parts of the state are on display, and which were recently.

/** How many parts stay that are not on display, so that going back and forth causes no request. */
const most = 40;

export class Shelf {
  private readonly held = new Map<string, number>();
  /** Parts that are not on display, the longest unused first. */
  private readonly left = new Set<string>();

  /** Registers that a part is on display, until the returned function is called. */
  hold(key: string): () => void {
    this.left.delete(key);
    this.held.set(key, (this.held.get(key) ?? 0) + 1);
    let holding = true;
    return () => {
      if (!holding) return;
      holding = false;
      const others = (this.held.get(key) ?? 1) - 1;
      if (others > 0) return void this.held.set(key, others);
      this.held.delete(key);
      this.left.add(key);
    };
  }

  isHeld(key: string): boolean {
    return this.held.has(key);
  }

  /** Whether too many unused parts are kept. A few more are tolerated, so that not every step scans the state. */
  get full(): boolean {
    return this.left.size > most + 20;
  }

  /** All parts to keep; the longest unused ones are dropped. */
  kept(): ReadonlySet<string> {
    const leaving = [...this.left].slice(0, Math.max(0, this.left.size - most));
    for (const key of leaving) this.left.delete(key);
    return new Set([...this.held.keys(), ...this.left]);
  }

  /** Drops everything that is not on display. */
  clear() {
    this.left.clear();
  }
}
