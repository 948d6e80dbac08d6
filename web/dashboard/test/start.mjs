// What every test of the browser starts from: a server of its own with the
// demo's data, a browser, and a watch over everything that a page may not do.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, constants } from "node:fs";
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { after, test } from "node:test";
import { chromium } from "playwright-core";

export const flags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

/**
 * How long to wait for what must come, in ms. It says nothing of speed: a machine that does much else
 * at once needs a minute for what takes a second, and a test that is right waits no longer than that.
 */
const patience = 60_000;
/** After this a scene has come to nothing. */
const longestScene = 600_000;

/** The browser's path, or undefined where there is none. */
export function findChromium() {
  const places = process.env.CHROMIUM ? [process.env.CHROMIUM] : (process.env.PATH ?? "").split(delimiter).map((folder) => join(folder, "chromium"));
  return places.find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Asks until the answer is true, and says what it waited for when that takes too long. */
export async function until(what, ask, within = patience) {
  const end = Date.now() + within;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    if (Date.now() > end) throw new Error(`waited ${within} ms for: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
}

/** A server with the demo's data. `crash` kills it as a power cut would, `start` starts it again on the same data and port. */
export async function startServer() {
  const { binary, filled } = JSON.parse(process.env.PARLEY ?? "{}");
  if (!binary) throw new Error("start the tests with run.mjs");
  const data = await mkdtemp(join(tmpdir(), "parley-browser-"));
  if (filled) await cp(filled.data, data, { recursive: true });
  const server = { origin: "", data, ...filled?.account };
  let child, exited;
  server.start = async () => {
    const listen = server.origin ? new URL(server.origin).host : "127.0.0.1:0";
    child = spawn(binary, ["serve", "--demo", "--listen", listen, "--data", data], { stdio: ["ignore", "pipe", "ignore"] });
    exited = once(child, "exit");
    const started = child;
    process.on("exit", () => started.kill("SIGKILL")); // whatever ends this test
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

/** Reads address, login, password and key; a store that has data already prints the address alone. */
async function readGreeting(stdout) {
  const names = { "Parley serves on": "origin", Login: "login", Password: "password", "API key": "key" };
  const found = {};
  for await (const line of createInterface({ input: stdout })) {
    const [, name, value] = line.match(/^\s*(Parley serves on|Login|Password|API key)\s+(\S+)$/) ?? [];
    if (name) found[names[name]] = value;
    if (found.key || (found.origin && line.startsWith("Parley"))) {
      stdout.resume(); // nobody reads on, and the server must not wait for that
      return found;
    }
  }
  throw new Error("the server ended without an address");
}

/** The header of a session's cookie. */
export const as = (token) => ({ Cookie: `__Host-parley=${token}` });

/** The public API by key, or the dashboard's by a session's cookie. It throws for an answer that is no success. */
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
    delete: (path) => ask("DELETE", path),
  };
}

/** Signs in without a browser; the answer is the value of the cookie. */
export async function signIn(origin, email, password) {
  const answer = await fetch(`${origin}/v1/dashboard/session`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ email, password }) });
  if (answer.status !== 201) throw new Error(`sign in: ${answer.status} ${await answer.text()}`);
  const [, token] = answer.headers.get("set-cookie").match(/__Host-parley=([^;]+)/);
  return token;
}

/**
 * A server, a browser and what the tests of one file share. `scene` is a test
 * with a browser context of its own, signed in as the owner; it fails when a
 * page reports an error, breaks the policy, opens a dialog or asks another
 * origin, whatever else it asserts.
 */
export async function openHouse() {
  const [server, browser] = await Promise.all([startServer(), chromium.launch({ executablePath: findChromium(), args: flags })]);
  after(async () => {
    await browser.close();
    await server.remove();
  });
  const token = await signIn(server.origin, server.login, server.password);
  const house = {
    server,
    browser,
    token,
    api: client(server.origin, { Authorization: `Bearer ${server.key}` }),
    desk: client(server.origin, as(token)),
  };
  house.join = (member) => invite(house, member);
  house.scene = (name, ...rest) => scene(house, name, rest.length === 2 ? rest[0] : {}, rest.at(-1));
  return house;
}

/** Has somebody join by an invitation and sign in, without a browser; the answer is the value of the cookie. */
async function invite({ server, desk }, { email, name, role = "agent", password = "a long enough password" }) {
  const { link } = await desk.post("/v1/dashboard/invitations", { email, role });
  await client(server.origin, {}).post("/v1/dashboard/invitations/accept", { token: link.split("#")[1], name, password });
  return signIn(server.origin, email, password);
}

/** `allow` are the patterns of console lines and failed requests that belong to what the scene plays. */
function scene(house, name, { allow = [], token = house.token, ...options }, play) {
  test(name, { timeout: longestScene }, async () => {
    const faults = [];
    const contexts = [];
    const visit = async (visitor = {}) => {
      const context = await watchedContext(house, faults, { ...options, ...visitor });
      contexts.push(context);
      return context;
    };
    try {
      const context = await visit({ token });
      const page = await context.newPage();
      await play({ ...house, context, page, visit, faults });
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

async function watchedContext({ browser, server }, faults, { token, origin = server.origin, ...options }) {
  const context = await browser.newContext({ baseURL: origin, viewport: { width: 1280, height: 800 }, reducedMotion: "reduce", ...options });
  context.setDefaultTimeout(patience);
  if (token) await context.addCookies([{ name: "__Host-parley", value: token, url: server.origin.replace("http:", "https:"), httpOnly: true, secure: true, sameSite: "Lax" }]);
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
    // The page asks whether to leave it: it is left, and the scene can ask how often.
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

/** Waits until what the pages have reported so far has arrived here. */
async function collect(contexts) {
  const pages = contexts.flatMap((context) => context.pages());
  await Promise.all(pages.map((page) => page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))))));
}

/** Keeps what the pages looked like when a scene failed. */
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
