// What the frame stores in the browser. Pages in frames may be forbidden to
// store anything; then it lasts as long as the page.

export interface Drawer<T> {
  get: () => T | null;
  set: (value: T | null) => void;
}

/** One value under one name. `local` outlives the tab, `session` does not. */
export function drawer<T>(where: "local" | "session", name: string): Drawer<T> {
  let memory: T | null = null;
  const shelf = (): Storage => (where === "local" ? localStorage : sessionStorage);
  return {
    get() {
      try {
        const text = shelf().getItem(name);
        return text === null ? null : (JSON.parse(text) as T);
      } catch {
        return memory;
      }
    },
    set(value) {
      memory = value;
      try {
        if (value === null) shelf().removeItem(name);
        else shelf().setItem(name, JSON.stringify(value));
      } catch {
        return; // memory has it
      }
    },
  };
}

/** The storage name of a value that belongs to an inbox on the pages of one origin. */
export function drawerName(inboxId: string, page: string, what = ""): string {
  return ["parley", inboxId, page, what].filter((part) => part !== "").join(":");
}
