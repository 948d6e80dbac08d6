// Where sent messages are stored until the server has them: in the browser,
// separately for each member and workspace.
import type { Item } from "./item";

export interface ItemStore {
  /** All items, in no order. */
  all: () => Item[];
  /** Stores an item or its new state. Returns false if only this page has it. */
  put: (item: Item) => boolean;
  drop: (key: string) => void;
  /** Calls back when another tab has changed something. Returns the function that stops it. */
  subscribe: (listener: () => void) => () => void;
}

const prefix = "parley.outbox.";

/** Each item has an entry of its own, so that two tabs never overwrite each other's. */
export function openItemStore(workspaceId: string, memberId: string): ItemStore {
  const mine = `${prefix}${workspaceId}.${memberId}.`;
  /** Items that did not fit into the storage. */
  const here = new Map<string, Item>();
  const read = (): Item[] => {
    try {
      return Object.keys(localStorage).flatMap((name) => (name.startsWith(mine) ? itemIn(localStorage.getItem(name)) : []));
    } catch {
      return []; // without storage an item lasts as long as its page
    }
  };
  return {
    all: () => [...read().filter(({ key }) => !here.has(key)), ...here.values()],
    put: (item) => {
      try {
        localStorage.setItem(mine + item.key, JSON.stringify(item));
        here.delete(item.key);
        return true;
      } catch {
        here.set(item.key, item);
        return false;
      }
    },
    drop: (key) => {
      here.delete(key);
      try {
        localStorage.removeItem(mine + key);
      } catch {
        // Nothing was stored.
      }
    },
    subscribe: (listener) => {
      const changed = ({ key }: StorageEvent) => (key === null || key.startsWith(mine)) && listener();
      window.addEventListener("storage", changed);
      return () => window.removeEventListener("storage", changed);
    },
  };
}

/** An unreadable entry is left alone: a later version may have written it. */
function itemIn(text: string | null): Item[] {
  try {
    const item = JSON.parse(text ?? "null") as Partial<Item> | null;
    return item && typeof item.key === "string" && typeof item.conversationId === "string" && typeof item.content === "string" && typeof item.stand?.is === "string" ? [item as Item] : [];
  } catch {
    return [];
  }
}
