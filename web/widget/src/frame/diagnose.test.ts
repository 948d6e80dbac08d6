import { expect, test } from "vitest";
import { explain } from "./diagnose";

const now = Date.parse("2026-11-21T10:00:00Z");
const seconds = now / 1000;

function token(claims: object, header: object = { alg: "HS256", kid: "idk_1" }): string {
  const part = (value: object) => btoa(JSON.stringify(value)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  return `${part(header)}.${part(claims)}.c2ln`;
}

test.each([
  ["no token", "hello", "three parts"],
  ["an empty one", "", "three parts"],
  ["no JSON", "aa.bb.cc", "JSON objects"],
  ["a list", `${btoa("[]")}.${btoa("{}")}.c`, "JSON objects"],
  ["no algorithm", token({ sub: "1", exp: seconds + 60 }, {}), "algorithm"],
  ["the algorithm none", token({ sub: "1", exp: seconds + 60 }, { alg: "None" }), "algorithm"],
  ["no expiry", token({ sub: "1" }), "no time of expiry"],
  ["milliseconds", token({ sub: "1", exp: now }), "milliseconds"],
  ["expired", token({ sub: "1", exp: seconds - 61 }), "expired at 2026-11-21T09:58:59.000Z"],
  ["not yet", token({ sub: "1", exp: seconds + 600, nbf: seconds + 300 }), "holds from"],
  ["of the future", token({ sub: "1", exp: seconds + 600, iat: seconds + 300 }), "compare the clock"],
  ["nobody", token({ exp: seconds + 600 }), "(sub)"],
  ["signed by another", token({ sub: "1", exp: seconds + 600 }), "names the key idk_1, HS256"],
  ["no key", token({ sub: "1", exp: seconds + 600 }, { alg: "HS256" }), "names no key (kid)"],
  ["an absurd time", token({ sub: "1", exp: -1e300 }), "expired at -1e+300"],
])("explains %s", (_, identity, want) => {
  expect(explain(identity, now)).toContain(want);
  expect(explain(identity, now)).toContain("Settings, Identity");
});

test("reveals nothing of the token but times and keys", () => {
  expect(explain(token({ sub: "secret-subject", email: "a@b.example", exp: seconds + 600 }), now)).not.toMatch(/secret-subject|a@b/);
});
