// What the settings say of identity keys, and what a new one is made of.
import type { IdentityAlgorithm, IdentityKey } from "../api/types";

const kinds: Record<IdentityKey["kind"], string> = { secret: "Secret", public: "Public key", jwks: "Key set" };

export function algorithmNote(key: IdentityKey): string {
  return `${kinds[key.kind]} · ${key.algorithm}`;
}

export const kindOptions: readonly { value: IdentityKey["kind"]; label: string }[] = [
  { value: "secret", label: "A secret that both share" },
  { value: "public", label: "A public key of yours" },
  { value: "jwks", label: "The key set of your sign-in service" },
];

export const kindHints: Record<IdentityKey["kind"], string> = {
  secret: "The simplest: your server signs with a secret, Parley checks with the same one.",
  public: "Your server keeps the private key; what Parley has cannot sign.",
  jwks: "Parley fetches the public keys from your service and follows when it changes them.",
};

export const algorithms: readonly IdentityAlgorithm[] = ["RS256", "PS256", "ES256", "EdDSA"];

export const retireChoices = [
  { value: "1", label: "Tomorrow" },
  { value: "7", label: "In 7 days" },
  { value: "14", label: "In 14 days" },
  { value: "30", label: "In 30 days" },
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

/** The members of the request that belong to the kind; what is empty is left out. */
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
