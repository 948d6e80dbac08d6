// Which parts of the state are on the page, and which were there lately.

/** So many stay that nobody looks at: going back and forth asks the server for nothing. */
const most = 40;

export class Shelf {
  private readonly held = new Map<string, number>();
  /** Not looked at, the longest first. */
  private readonly left = new Set<string>();

  /** Notes that a part is on the page, until the answer is called. */
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

  /** Whether more was left than stays. A few more are let in first, so that not each step costs a look at everything. */
  get full(): boolean {
    return this.left.size > most + 20;
  }

  /** Everything that stays; what was left for the longest does not. */
  kept(): ReadonlySet<string> {
    const leaving = [...this.left].slice(0, Math.max(0, this.left.size - most));
    for (const key of leaving) this.left.delete(key);
    return new Set([...this.held.keys(), ...this.left]);
  }

  /** Lets everything go that is not on the page. */
  clear() {
    this.left.clear();
  }
}
