// Display texts for identity keys, and the request for a new one.
import type { IdentityAlgorithm, IdentityKey } from "../api/types";
import { texts } from "./texts";

const kinds: Record<IdentityKey["kind"], string> = { secret: texts.identitykeys.secret, public: texts.identitykeys.publicKey, jwks: texts.identitykeys.keySet };

export function algorithmNote(key: IdentityKey): string {
  return `${kinds[key.kind]} · ${key.algorithm}`;
}

export const kindOptions: readonly { value: IdentityKey["kind"]; label: string }[] = [
  { value: "secret", label: texts.identitykeys.sharedSecret },
  { value: "public", label: texts.identitykeys.ownPublicKey },
  { value: "jwks", label: texts.identitykeys.ownKeySet },
];

export const kindHints: Record<IdentityKey["kind"], string> = {
  secret: texts.identitykeys.secretHint,
  public: texts.identitykeys.publicHint,
  jwks: texts.identitykeys.jwksHint,
};

export const algorithms: readonly IdentityAlgorithm[] = ["RS256", "PS256", "ES256", "EdDSA"];

export const retireChoices = [
  { value: "1", label: texts.identitykeys.tomorrow },
  { value: "7", label: texts.identitykeys.in7Days },
  { value: "14", label: texts.identitykeys.in14Days },
  { value: "30", label: texts.identitykeys.in30Days },
];

export interface NewKeyValues {
  kind: IdentityKey["kind"];
  algorithm: IdentityAlgorithm;
  secret: string;
  publicKey: string;
  jwksUrl: string;
  issuer: string;
  audience: string;
}

export const newKey: NewKeyValues = { kind: "secret", algorithm: "RS256", secret: "", publicKey: "", jwksUrl: "", issuer: "", audience: "" };

/** The fields of the request that belong to the kind; empty ones are left out. */
export function bodyOf({ kind, algorithm, secret, publicKey, jwksUrl, issuer, audience }: NewKeyValues): Record<string, string> {
  const own: Record<IdentityKey["kind"], Record<string, string>> = {
    secret: { secret: secret.trim() },
    public: { algorithm, publicKey: publicKey.trim() },
    jwks: { algorithm, jwksUrl: jwksUrl.trim() },
  };
  const named: Record<string, string> = kind === "secret" ? {} : { issuer: issuer.trim(), audience: audience.trim() };
  const members: Record<string, string> = { kind, ...own[kind], ...named };
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== ""));
}
