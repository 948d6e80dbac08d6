import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { written } from "./desk.fixture";
import { itemOf } from "./item";
import { openItemStore } from "./itemstore";

let kept: Record<string, unknown>;
let full = false;

beforeEach(() => {
  full = false;
  kept = Object.create({
    getItem: (key: string) => (kept[key] as string | undefined) ?? null,
    setItem: (key: string, value: string) => {
      if (full) throw new DOMException("full", "QuotaExceededError");
      kept[key] = value;
    },
    removeItem: (key: string) => Reflect.deleteProperty(kept, key),
  }) as Record<string, unknown>;
  vi.stubGlobal("localStorage", kept);
});
afterEach(() => vi.unstubAllGlobals());

const item = (key: string) => itemOf(written(`text of ${key}`), key, 1, []);

test("an item belongs to one member and workspace", () => {
  openItemStore("w", "usr_a").put(item("k"));
  expect(openItemStore("w", "usr_a").all()).toEqual([item("k")]);
  for (const [workspace, member] of [
    ["w", "usr_b"],
    ["w", "usr_"],
    ["w", "usr_ab"],
    ["other", "usr_a"],
  ] as const)
    expect(openItemStore(workspace, member).all()).toEqual([]);
});

test("two tabs store their items side by side", () => {
  const [one, two] = [openItemStore("w", "usr_a"), openItemStore("w", "usr_a")];
  one.put(item("k1"));
  two.put(item("k2"));
  one.put({ ...item("k1"), tries: 3 });
  two.drop("k2");
  expect(two.all()).toEqual([{ ...item("k1"), tries: 3 }]);
});

test("an item that does not fit into the storage lasts as long as the page, and an unreadable one stays", () => {
  const store = openItemStore("w", "usr_a");
  kept["parley.outbox.w.usr_a.broken"] = "{";
  kept["parley.outbox.w.usr_a.later"] = JSON.stringify({ version: 2 });
  full = true;
  expect(store.put(item("k"))).toBe(false);
  expect(store.all()).toEqual([item("k")]);
  expect(openItemStore("w", "usr_a").all()).toEqual([]);
  full = false;
  expect(store.put(item("k"))).toBe(true);
  store.drop("k");
  expect(store.all()).toEqual([]);
  expect(Object.keys(kept)).toHaveLength(2);
});

test("a page without storage works", () => {
  vi.stubGlobal("localStorage", undefined);
  const store = openItemStore("w", "usr_a");
  expect(store.put(item("k"))).toBe(false);
  expect(store.all()).toEqual([item("k")]);
  store.drop("k");
  expect(store.all()).toEqual([]);
});
