// What the console tells a shop's developer about a refused identity. The
// server gives every browser the same answer, whatever the reason. But the
// claims of a token are readable by anyone, and most mistakes are visible
// there.

/**
 * Explains what is wrong with an identity as far as it is visible from outside, and where to find the rest. `now` is in
 * ms.
 */
export function explain(identity: string, now: number): string {
  return `${flaw(identity, now)} The dashboard lists the exact reason: Settings, Identity, Refused.`;
}

function flaw(identity: string, now: number): string {
  const parts = identity.split(".");
  if (parts.length !== 3) return `A token has three parts with dots between them; this one has ${parts.length}.`;
  const [header, claims] = [read(parts[0]), read(parts[1])];
  if (!header || !claims) return "Its first two parts must be JSON objects in base64url, which they are not.";
  const { alg, kid } = header;
  const { sub, exp, nbf, iat } = claims;
  const seconds = now / 1000;
  if (typeof alg !== "string" || alg.toLowerCase() === "none") return "Its header names no algorithm (alg).";
  if (typeof exp !== "number") return "It has no time of expiry (exp, in seconds).";
  if (exp > 1e11) return "Its exp is in milliseconds; it counts in seconds.";
  if (exp <= seconds - 60) return `It expired at ${time(exp)}. Your server must sign one for each page, not keep it with the page.`;
  if (typeof nbf === "number" && nbf > seconds + 60) return `It holds from ${time(nbf)} on only.`;
  if (typeof iat === "number" && iat > seconds + 60) return `It says that it was made at ${time(iat)}, in the future: compare the clock of your server.`;
  if (sub === undefined || sub === null || sub === "") return "It does not say who the customer is (sub).";
  const key = typeof kid === "string" ? `the key ${kid}` : "no key (kid)";
  return `It names ${key}, ${alg}, expires at ${time(exp)}. If those are right, the signature is not: it was made with another secret, or the key is revoked.`;
}

function read(part: string | undefined): Record<string, unknown> | null {
  try {
    const bytes = Uint8Array.from(atob((part ?? "").replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));
    const value = JSON.parse(new TextDecoder().decode(bytes)) as unknown;
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function time(seconds: number): string {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? String(seconds) : date.toISOString();
}
