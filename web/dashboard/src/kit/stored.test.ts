import { afterEach, expect, test, vi } from "vitest";
import { choicesOf } from "../shell/choices";
import { readStored, writeStored } from "./stored";

afterEach(() => void vi.unstubAllGlobals());

const forbidden = () => {
  throw new DOMException("The operation is insecure.", "SecurityError");
};

/** A window whose browser forbids storage: even reading the property throws. */
const shut = () => Object.defineProperties({ addEventListener: () => undefined }, { localStorage: { get: forbidden }, sessionStorage: { get: forbidden } });

test("a browser without storage works", () => {
  vi.stubGlobal("window", shut());
  vi.stubGlobal("localStorage", { getItem: forbidden, setItem: forbidden });
  expect(readStored("parley.x")).toBeNull();
  expect(readStored("parley.x", "sessionStorage")).toBeNull();
  writeStored("parley.x", "1");
  writeStored("parley.x", null, "sessionStorage");
  expect(choicesOf("usr_shut").get().afterResolve).toBe("next");
});

test("a stored value is read again, until it is dropped", () => {
  const kept = new Map<string, string>();
  vi.stubGlobal("window", {
    localStorage: { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => kept.set(key, value), removeItem: (key: string) => kept.delete(key) },
  });
  writeStored("parley.x", "1");
  expect(readStored("parley.x")).toBe("1");
  writeStored("parley.x", null);
  expect(readStored("parley.x")).toBeNull();
});
