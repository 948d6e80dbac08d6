import { describe, expect, test } from "vitest";
import type { Key } from "../api/types";
import { deviceName } from "./device";
import { expiryOf, keysOfUnknown, keysToOffer, makerOf, stateOf } from "./keystate";
import { phonesOf, wrongPhone } from "./phones";
import { presetOf, presets, scopes, scopesText, toggled } from "./scopes";

describe("scopes", () => {
  test("are recognized as presets, in any order", () => {
    for (const preset of presets) expect(presetOf([...preset.scopes].reverse())).toBe(preset.value);
    expect(presetOf(["contacts:read"])).toBe("own");
    expect(scopesText(["contacts:read"])).toBe("contacts:read");
    expect(scopesText(scopes.map((s) => s.value))).toBe("Everything");
  });

  test("keep their order when one is added or removed", () => {
    expect(toggled(["products:read"], "conversations:read", true)).toEqual(["conversations:read", "products:read"]);
    expect(toggled(["conversations:read", "products:read"], "conversations:read", false)).toEqual(["products:read"]);
  });
});

describe("a key", () => {
  const key: Key = {
    id: "k",
    name: "Bot",
    scopes: [],
    display: "pk_",
    createdAt: "",
    expiresAt: "2026-11-21T00:00:00.000Z",
    revokedAt: null,
    lastUsedAt: null,
    createdBy: { type: "member", id: "usr_a", name: "Ann" },
  };
  const end = Date.parse("2026-11-21T00:00:00.000Z");

  test("is valid until the instant of its expiry", () => {
    expect(stateOf(key, end - 1)).toBe("active");
    expect(stateOf(key, end)).toBe("expired");
    expect(stateOf({ ...key, revokedAt: "2026-11-20T00:00:00.000Z" }, end - 1)).toBe("revoked");
    expect(stateOf({ ...key, expiresAt: null }, end)).toBe("active");
  });

  test("is offered for revocation when its creator leaves, while it is valid", () => {
    const revoked = { ...key, revokedAt: "2026-11-20T00:00:00.000Z" };
    const others = { ...key, createdBy: { type: "member" as const, id: "usr_b", name: "Bo" } };
    const system = { ...key, createdBy: { type: "system" as const, id: "", name: "" } };
    expect(keysToOffer([key, revoked, others, system], "usr_a", end - 1)).toEqual([key]);
    expect(keysToOffer([key], "usr_a", end)).toEqual([]);
    expect([key, system].map(makerOf)).toEqual(["created by Ann", "creator unknown"]);
    expect(keysOfUnknown([key, revoked, others, system, { ...system, revokedAt: "2026-11-20T00:00:00.000Z" }], end - 1)).toEqual([system]);
    expect(keysOfUnknown([system], end)).toEqual([]);
  });

  test("expires when its creator chose", () => {
    expect(expiryOf("", "", end)).toBeNull();
    expect(expiryOf("30", "", end)).toBe("2026-12-21T00:00:00.000Z");
    expect(expiryOf("date", "", end)).toBeNull();
    expect(Date.parse(expiryOf("date", "2026-12-01", end) ?? "")).toBe(new Date(2026, 11, 1, 23, 59, 59).getTime());
  });
});

test.each([
  ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Linux"],
  ["Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36 Edg/140.0", "Edge on Windows"],
  ["Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1 (KHTML, like Gecko) Version/18.0 Mobile/15E Safari/604.1", "Safari on iPhone"],
  ["curl/8.5.0", "curl/8.5.0"],
  ["", "An unknown device"],
])("the device of %j is %s", (userAgent, name) => {
  expect(deviceName(userAgent)).toBe(name);
});

test("phone numbers are split, and distinguished by their digits", () => {
  expect(phonesOf("+49 151 23456789\n4915123456789, 49-30-7654321;\n")).toEqual(["4915123456789", "49-30-7654321"]);
  expect(wrongPhone(["+49 151 23456789", "0151 2345"])).toBe("0151 2345");
  expect(wrongPhone(["+49 151 23456789"])).toBeUndefined();
});
