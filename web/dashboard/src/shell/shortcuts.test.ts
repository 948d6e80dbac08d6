import { expect, test } from "vitest";
import { createMatcher, keyName, shortcuts } from "./shortcuts";

const press = (key: string, more = {}) => keyName({ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...more });

test("keys have names", () => {
  expect(press("k", { metaKey: true })).toBe("Mod+k");
  expect(press("K")).toBe("k");
  expect(press("?", { shiftKey: true })).toBe("?");
  expect(press("U", { shiftKey: true })).toBe("Shift+u");
  expect(press("Enter", { shiftKey: true, ctrlKey: true })).toBe("Mod+Shift+Enter");
  expect(press("Shift")).toBeNull();
  expect(press("k", { altKey: true })).toBeNull();
});

test("a sequence of keys within a second", () => {
  const match = createMatcher();
  expect(match("g", 0)).toBeNull();
  expect(match("i", 500)).toBe("goInbox");
  expect(match("i", 600)).toBe("assignMe");
  expect(match("g", 1000)).toBeNull();
  expect(match("r", 2500)).toBe("reply");
});

test("no two shortcuts have the same keys, and none is the start of another", () => {
  const keys = Object.values(shortcuts).map((shortcut) => shortcut.keys as string);
  expect(new Set(keys).size).toBe(keys.length);
  for (const pair of keys.filter((one) => one.includes(" "))) expect(keys).not.toContain(pair.split(" ")[0]);
});
