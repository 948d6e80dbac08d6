// The setup of every browser test: a server of its own with the demo's data, a
// browser, and a watch for everything that a page must not do.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, test } from "node:test";
import { chromium } from "playwright-core";
import { findChromium } from "./chromium.mjs";

// The last --disable-features counts, so Playwright's own (chromiumSwitches.ts) come first.
const disabledFeatures = [
  ...["AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades", "HttpsFirstBalancedModeAutoEnable", "LensOverlay", "MediaRouter", "PaintHolding"],
  ...["ThirdPartyStoragePartitioning", "AvoidCorsURLLoaderRestartOnRedirect", "OptimizationHints", "NetworkTimeServiceQuerying", "AimEnabled", "PreconnectToSearch"],
  // Where the browser has windows, it loads pages of its own for each context, for an address bar that nobody sees: half
  // a second of a processor.
  ...["WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup", "SpareRendererForSitePerProcess"],
];
export const flags = [
  ...["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  `--disable-features=${disabledFeatures.join()}`,
];

/**
 * How long to wait for a condition, in ms. It says nothing about speed: a busy machine may need a minute for a second's
 * work, and a passing test waits no longer than necessary.
 */
const patience = 60_000;
/** A scene that takes longer than this has failed. */
const longestScene = 600_000;
/** The checks of each commit run the short form: see run.mjs. */
export const short = process.env.SHORT === "true";

/** Calls `ask` until it returns true, ever less often. If that takes too long, it throws an error with `what`. */
export async function until(what, ask, within = patience) {
  const end = Date.now() + within;
  for (let pause = 20; ; pause = Math.min(pause * 2, 200)) {
    const answer = await ask();
    if (answer) return answer;
    if (Date.now() > end) throw new Error(`waited ${within} ms for: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

/**
 * A server with the demo's data, or with `empty` as a company starts with it. `crash` kills it like a power cut, `start`
 * starts it again with the same data and port.
 */
export async function startServer(more = [], { empty = false } = {}) {
  const { binary, filled } = JSON.parse(process.env.PARLEY ?? "{}");
  if (!binary) throw new Error("start the tests with run.mjs");
  const data = await mkdtemp(join(tmpdir(), "parley-browser-"));
  const copied = filled && !empty;
  if (copied) await cp(filled.data, data, { recursive: true });
  const server = { origin: "", data, ...(copied && filled.account) };
  let child, exited;
  server.start = async () => {
    const listen = server.origin ? new URL(server.origin).host : "127.0.0.1:0";
    child = spawn(binary, ["serve", ...(empty ? [] : ["--demo"]), "--listen", listen, "--data", data, ...more], { stdio: ["ignore", "pipe", "ignore"] });
    exited = once(child, "exit");
    const started = child;
    process.on("exit", () => started.kill("SIGKILL")); // however this test ends
    Object.assign(server, await readGreeting(child.stdout));
  };
  server.end = async (signal) => {
    child.kill(signal);
    await exited;
  };
  server.crash = () => server.end("SIGKILL");
  server.remove = async () => {
    await server.crash();
    await rm(data, { recursive: true, force: true });
  };
  await server.start();
  if (!server.key) throw new Error("the server printed no key");
  return server;
}

/** Reads address, login, password and key. A store that already has data prints only the address. */
async function readGreeting(stdout) {
  const names = { "Parley serves on": "origin", Login: "login", Password: "password", "API key": "key" };
  const found = {};
  for await (const line of createInterface({ input: stdout })) {
    const [, name, value] = line.match(/^\s*(Parley serves on|Login|Password|API key)\s+(\S+)$/) ?? [];
    if (name) found[names[name]] = value;
    if (found.key || (found.origin && line.startsWith("Parley"))) {
      stdout.resume(); // nobody reads the rest, and the server must not block on it
      return found;
    }
  }
  throw new Error("the server ended without an address");
}

/** The cookie header of a session. */
export const as = (token) => ({ Cookie: `__Host-parley=${token}` });

/** The public API with a key, or the dashboard's with a session cookie. It throws unless the answer is a success. */
export function client(origin, headers) {
  const ask = async (method, path, body) => {
    const answer = await fetch(origin + path, { method, headers: { ...headers, ...(body && { "Content-Type": "application/json" }) }, body: body && JSON.stringify(body) });
    if (!answer.ok) throw Object.assign(new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`), { status: answer.status });
    return answer.json();
  };
  return {
    get: (path) => ask("GET", path),
    post: (path, body = {}) => ask("POST", path, body),
    patch: (path, body) => ask("PATCH", path, body),
    put: (path, body) => ask("PUT", path, body),
    delete: (path) => ask("DELETE", path),
  };
}

/** Signs in without a browser and returns the value of the cookie. */
export async function signIn(origin, email, password) {
  const answer = await fetch(`${origin}/v1/dashboard/session`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ email, password }) });
  if (answer.status !== 201) throw new Error(`sign in: ${answer.status} ${await answer.text()}`);
  const [, token] = answer.headers.get("set-cookie").match(/__Host-parley=([^;]+)/);
  return token;
}

/**
 * A server, a browser and what the tests of one file share. `scene` is a test with a browser context of its own, signed
 * in as the owner. It fails if a page reports an error, violates the policy, opens a dialog or requests another origin,
 * whatever else it asserts. With `worker`, the pages register their service worker; with `windows` in the options, the
 * browser is the whole one.
 */
export async function openSuite(more = [], options = {}) {
  const [server, browser] = await Promise.all([startServer(more, options), chromium.launch({ executablePath: findChromium(options), args: flags })]);
  after(async () => {
    await browser.close();
    await server.remove();
  });
  const token = await signIn(server.origin, server.login, server.password);
  const suite = {
    server,
    browser,
    token,
    api: client(server.origin, { Authorization: `Bearer ${server.key}` }),
    desk: client(server.origin, as(token)),
  };
  suite.join = (member) => invite(suite, member);
  suite.scene = (name, ...rest) => scene(suite, name, rest.length === 2 ? rest[0] : {}, rest.at(-1));
  return suite;
}

/** Lets a new member accept an invitation and sign in, without a browser; returns the value of the cookie. */
async function invite({ server, desk }, { email, name, role = "agent", password = "a long enough password" }) {
  const { link } = await desk.post("/v1/dashboard/invitations", { email, role });
  await client(server.origin, {}).post("/v1/dashboard/invitations/accept", { token: link.split("#")[1], name, password });
  return signIn(server.origin, email, password);
}

/** `allow` has patterns for the console lines and failed requests that the scene causes. */
function scene(suite, name, { allow = [], token = suite.token, ...options }, play) {
  test(name, { timeout: longestScene }, async () => {
    const faults = [];
    const contexts = [];
    const visit = async (visitor = {}) => {
      const context = await watchedContext(suite, faults, { ...options, ...visitor });
      contexts.push(context);
      return context;
    };
    try {
      const context = await visit({ token });
      const page = await context.newPage();
      await play({ ...suite, context, page, visit, faults });
      await collect(contexts);
      const real = [...new Set(faults)].filter((fault) => !allow.some((pattern) => pattern.test(fault)));
      if (real.length > 0) throw new Error(`${real.length} faults:\n${real.join("\n")}`);
    } catch (error) {
      await picture(contexts, name);
      throw error;
    } finally {
      await Promise.all(contexts.map((context) => context.close()));
    }
  });
}

async function watchedContext({ browser, server }, faults, { token, origin = server.origin, worker = false, ...options }) {
  const context = await browser.newContext({ baseURL: origin, viewport: { width: 1280, height: 800 }, reducedMotion: "reduce", ...options });
  context.setDefaultTimeout(patience);
  if (token) await context.addCookies([{ name: "__Host-parley", value: token, url: server.origin.replace("http:", "https:"), httpOnly: true, secure: true, sameSite: "Lax" }]);
  // Requests of a page with a service worker are partly invisible to the watch.
  if (!worker) await context.addInitScript(() => "serviceWorker" in navigator && Object.defineProperty(navigator.serviceWorker, "register", { value: () => new Promise(() => {}) }));
  await context.exposeBinding("reportViolation", (_, text) => faults.push(`policy: ${text}`));
  await context.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) => {
      window.reportViolation(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`);
    });
  });
  context.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") faults.push(`console: ${message.text()} (${message.location().url})`);
  });
  context.on("weberror", (error) => faults.push(`script: ${error.error().stack}`));
  context.on("dialog", (dialog) => {
    // The page asks whether to leave it: it is left, and the scene can read how often it asked.
    if (dialog.type() === "beforeunload") {
      context.held = (context.held ?? 0) + 1;
      return void dialog.accept();
    }
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  context.on("request", (request) => {
    const { origin: asked, protocol } = new URL(request.url());
    if (asked !== origin && protocol !== "data:" && protocol !== "blob:") faults.push(`request: ${request.url()}`);
  });
  context.on("response", (response) => {
    if (response.status() >= 500) faults.push(`answer: ${response.status()} for ${response.url()}`);
  });
  return context;
}

/** Waits until everything that the pages have reported so far has arrived. */
async function collect(contexts) {
  const pages = contexts.flatMap((context) => context.pages());
  await Promise.all(pages.map((page) => page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))))));
}

/** Saves screenshots of the pages when a scene failed. */
async function picture(contexts, name) {
  const folder = process.env.PICTURES ?? join(tmpdir(), "parley-pictures");
  await mkdir(folder, { recursive: true });
  const pages = contexts.flatMap((context) => context.pages());
  for (const [index, page] of pages.entries()) {
    const path = join(folder, `${name.replace(/[^a-z0-9]+/gi, "-").slice(0, 80)}-${index}.png`);
    await page.screenshot({ path }).then(
      () => console.error(`picture: ${path} of ${page.url()}`),
      (error) => console.error(`no picture of ${page.url()}: ${error.message}`),
    );
  }
}
