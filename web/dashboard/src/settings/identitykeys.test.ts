import { expect, test } from "vitest";
import { bodyOf, newKey } from "./identitykeys";

const all = { ...newKey, secret: "s", publicKey: " pem ", jwksUrl: "https://id.example/keys", issuer: "https://id.example/", audience: "parley" };

test("a request has the fields of its kind, and nothing that was entered for another", () => {
  expect(bodyOf(newKey)).toEqual({ kind: "secret" });
  expect(bodyOf(all)).toEqual({ kind: "secret", secret: "s" });
  expect(bodyOf({ ...all, kind: "public", algorithm: "ES256" })).toEqual({ kind: "public", algorithm: "ES256", publicKey: "pem", issuer: "https://id.example/", audience: "parley" });
  expect(bodyOf({ ...all, kind: "jwks", audience: " " })).toEqual({ kind: "jwks", algorithm: "RS256", jwksUrl: "https://id.example/keys", issuer: "https://id.example/" });
});
