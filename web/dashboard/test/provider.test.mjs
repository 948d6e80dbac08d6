// Signing in with an OpenID Connect provider: setting it up, connecting an account, signing in, and out.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash, generateKeyPairSync, randomUUID, sign } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer as createSecureServer } from "node:https";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join as joinPath } from "node:path";
import { after } from "node:test";
import { as, openSuite } from "./start.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

async function accessible(page, what) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }));
  assert.deepEqual(
    violations.map(({ id, nodes }) => `${what}: ${id} ${nodes[0].html}`),
    [],
  );
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${what} scrolls sideways`);
}

/** A port that nobody listens at, for a server whose address must be known before it starts. */
async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}

/** A provider at which the person `claims` is signed in already. */
async function openIssuer(folder) {
  const [key, cert] = [joinPath(folder, "key.pem"), joinPath(folder, "cert.pem")];
  const names = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"];
  execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", ...names, "-keyout", key, "-out", cert], { stdio: "ignore" });
  const signing = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const codes = new Map();
  const issuer = { claims: {}, cert, origin: "" };
  const part = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
  issuer.token = (more, typ = "JWT") => {
    const now = Math.floor(Date.now() / 1000);
    const text = `${part({ alg: "RS256", kid: "one", typ })}.${part({ iss: issuer.origin, aud: "parley", iat: now, exp: now + 120, ...more })}`;
    return `${text}.${sign("sha256", Buffer.from(text), signing.privateKey).toString("base64url")}`;
  };
  const answers = {
    "/.well-known/openid-configuration": () => ({
      issuer: issuer.origin,
      authorization_endpoint: `${issuer.origin}/authorize`,
      token_endpoint: `${issuer.origin}/token`,
      jwks_uri: `${issuer.origin}/keys`,
      response_types_supported: ["code"],
      id_token_signing_alg_values_supported: ["RS256"],
    }),
    "/keys": () => ({ keys: [{ ...signing.publicKey.export({ format: "jwk" }), kid: "one", use: "sig", alg: "RS256" }] }),
    "/token": (form) => {
      const asked = codes.get(form.get("code"));
      codes.delete(form.get("code"));
      assert.equal(createHash("sha256").update(form.get("code_verifier")).digest("base64url"), asked.get("code_challenge"));
      return { access_token: "a", token_type: "Bearer", id_token: issuer.token({ nonce: asked.get("nonce"), ...issuer.claims }) };
    },
  };
  const server = createSecureServer({ key: readFileSync(key), cert: readFileSync(cert) }, async (request, response) => {
    const { pathname, searchParams } = new URL(request.url, issuer.origin);
    const body = (await request.toArray()).join("");
    if (pathname === "/authorize") {
      const code = randomUUID();
      codes.set(code, searchParams);
      response.writeHead(302, { Location: `${searchParams.get("redirect_uri")}?${new URLSearchParams({ code, state: searchParams.get("state") })}` }).end();
      return;
    }
    response.writeHead(answers[pathname] ? 200 : 404, { "Content-Type": "application/json" }).end(JSON.stringify(answers[pathname]?.(new URLSearchParams(body)) ?? {}));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  issuer.origin = `https://127.0.0.1:${server.address().port}`;
  after(() => server.close());
  return issuer;
}

const folder = mkdtempSync(joinPath(tmpdir(), "parley-issuer-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const issuer = await openIssuer(folder);
process.env.SSL_CERT_FILE = issuer.cert; // which the server trusts then
const port = await freePort();
const { scene, server, desk, join } = await openSuite(["--listen", `127.0.0.1:${port}`, "--public-url", `http://127.0.0.1:${port}`, "--allow-networks", "127.0.0.1/32"]);
const { host } = new URL(issuer.origin);
// The browser does not know the provider's certificate, and goes to another server.
const options = { ignoreHTTPSErrors: true, allow: [/^request: https:\/\/127\.0\.0\.1/, /Failed to load resource.*40[01]/] };

/** Fills in the page for passwords. */
async function signInAt(page, email, password) {
  await page.goto("/signin");
  await page.getByRole("textbox", { name: "E-mail" }).fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.keyboard.press("Enter");
}

scene("an owner sets up a provider, connects the account and signs in by it, and a person joins and is signed out", options, async ({ page, visit }) => {
  const pat = { email: "pat.password@example.org", name: "Pat Password", password: "a long enough password" };
  await join(pat);
  await page.goto("/settings/sign-in");
  await page.getByLabel("Address (issuer)").fill("http://127.0.0.1");
  await page.getByLabel("Client ID").fill("parley");
  await page.getByLabel("Client secret").fill("a secret of the client");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("This value cannot be used.").waitFor();
  await page.getByLabel("Address (issuer)").fill(issuer.origin);
  await page.getByLabel("Persons who are no members").selectOption("agent");
  await page.getByLabel("Domains of their e-mail addresses").fill("new.example");
  await page.getByRole("switch", { name: "Members sign in with the provider alone" }).check();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Choose an owner with a password").waitFor();
  await page.getByRole("group", { name: "Owners who may always use their password" }).getByRole("checkbox").first().check();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("The provider is saved").waitFor();
  await page.getByText("Nobody is connected").waitFor();
  await accessible(page, "the provider");
  await page.setViewportSize({ width: 320, height: 640 });
  await accessible(page, "the provider on a phone");
  await page.setViewportSize({ width: 1280, height: 800 });

  issuer.claims = { sub: "boss" };
  await page.goto("/settings/profile");
  await page.getByRole("button", { name: "Connect my account" }).click();
  await page.getByRole("dialog").getByLabel("Your password").fill(server.password);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText(/^Connected since /).waitFor();
  await accessible(page, "the profile");

  const small = await (await visit({ token: "", viewport: { width: 320, height: 640 } })).newPage();
  await small.goto("/signin?next=%2Fcontacts");
  const button = small.getByRole("button", { name: `Sign in with ${host}` });
  issuer.claims = { sub: "ann", email: "ann@new.example", email_verified: false, name: "Ann Newcomer" };
  await button.click();
  await small.getByText("The provider does not say that your e-mail address is verified.").waitFor();
  await accessible(small, "the refusal");
  issuer.claims.email_verified = true;
  issuer.claims.sid = "s-1";
  await button.click();
  await small.waitForURL("**/contacts");
  await small.getByRole("heading", { name: "Contacts" }).waitFor();

  const password = await (await visit({ token: "" })).newPage();
  const { email } = (await desk.get("/v1/dashboard/session")).member;
  await signInAt(password, pat.email, pat.password);
  await password.getByRole("heading", { name: "Sign in with the provider" }).waitFor();
  await password.getByRole("button", { name: `Sign in with ${host}` }).waitFor();
  await accessible(password, "the step to the provider");
  await signInAt(password, email, server.password); // who is exempt
  await password.getByRole("heading", { name: "All open" }).waitFor();

  const { logoutUrl } = await desk.get("/v1/dashboard/sign-in-provider");
  const events = { "http://schemas.openid.net/event/backchannel-logout": {} };
  const out = await fetch(logoutUrl, { method: "POST", body: new URLSearchParams({ logout_token: issuer.token({ sid: "s-1", jti: randomUUID(), events }, "logout+jwt") }) });
  assert.equal(out.status, 200, await out.text());
  await small.getByRole("heading", { name: "Sign in" }).waitFor();

  await page.goto("/settings/sign-in");
  await page.getByRole("list", { name: "Connected members" }).getByText("Ann Newcomer").waitFor();
  assert.equal((await fetch(`${server.origin}/v1/dashboard/sign-in-provider`, { headers: as("none") })).status, 401);
});
