// Works in the dashboard with a real browser, on a server of its own with the
// demo's data, and fails where something does not work, where accessibility is
// broken (axe: WCAG 2.2 AA), where anything is asked of another origin, and on
// every error of the console, the Content-Security-Policy's included.
//
//   node dashboard.test.mjs ../../bin/parley [folder for pictures]
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { chromium } from "playwright-core";

const [binary, pictures] = process.argv.slice(2);
if (!binary) {
  console.error("usage: node dashboard.test.mjs <binary> [folder for pictures]");
  process.exit(2);
}
const faults = [];
const axe = await readFile(new URL("node_modules/axe-core/axe.min.js", import.meta.url), "utf8");
const data = await mkdtemp(join(tmpdir(), "parley-dashboard-"));

// serve starts the binary; told holds what it prints: address, login, password, key.
async function serve(listen, ...more) {
  const child = spawn(binary, ["serve", "--listen", listen, "--data", data, ...more], { stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(child, "exit");
  process.on("exit", () => child.kill()); // whatever ends this test
  const told = {};
  for await (const line of createInterface({ input: child.stdout })) {
    const [, name, value] = line.match(/^\s*(Parley serves on|Login|Password|API key)\s+(\S+)/) ?? [];
    if (name) told[name] = value;
    if (told["Parley serves on"] && (more.length === 0 || told["API key"])) break;
  }
  child.stdout.resume(); // nobody reads on, and the server must not wait for that
  const stop = async () => {
    child.kill();
    await exited;
  };
  return { told, stop };
}

let server = await serve("127.0.0.1:0", "--demo");
const { Login: email, Password: password, "API key": key } = server.told;
const address = new URL(server.told["Parley serves on"]);
// Browsers take localhost for secure, and so keep the session's cookie.
const origin = `http://localhost:${address.port}`;

async function call(method, path, body) {
  const answer = await fetch(address.origin + path, { method, headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" }, ...(body && { body: JSON.stringify(body) }) });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

// watched makes faults of what a page may not do. `allowed` are texts of the
// console and answers that a step brings about on purpose.
async function watched(context, allowed = /\b401\b|ERR_CONNECTION|ERR_INCOMPLETE|ERR_NETWORK/) {
  const page = await context.newPage();
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.origin !== origin && url.protocol !== "data:") faults.push(`asked for ${request.url()}`);
  });
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type()) && !allowed.test(message.text())) faults.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => faults.push(`script: ${error.message}`));
  return page;
}

async function signIn(page, next = "/") {
  await page.goto(origin + next);
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL((url) => url.pathname !== "/signin");
}

async function accessible(page, name) {
  const { violations } = await page.evaluate(`${axe};axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] })`);
  for (const { id, nodes } of violations) faults.push(`${name}: axe: ${id}: ${nodes[0].html.slice(0, 200)}`);
  if (pictures) await page.screenshot({ path: join(pictures, `${name}.png`) });
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
let steps = 0;
async function step(name, work) {
  try {
    await work();
    steps++;
  } catch (error) {
    faults.push(`${name}: ${error.message.split("\n").slice(0, 3).join(" ")}`);
  }
}

async function inbox(context) {
  const page = await watched(context);
  const log = page.getByRole("log");
  await step("sign in", async () => {
    await page.goto(`${origin}/signin`);
    await page.getByLabel("E-mail").waitFor();
    await accessible(page, "signin");
    await signIn(page, "/inbox?status=open");
    await page.locator("[data-row]").first().waitFor();
    await accessible(page, "inbox");
  });
  await step("open by keys and answer", async () => {
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await log.locator("article").first().waitFor();
    await accessible(page, "conversation");
    await page.keyboard.press("r");
    await page.keyboard.type("An answer by keys");
    await page.keyboard.press("Control+Enter");
    await log.getByText("An answer by keys").waitFor();
    await log.getByText("Sending").waitFor({ state: "detached" });
  });
  const id = new URL(page.url()).pathname.split("/").at(-1);
  await step("priority by keys", async () => {
    await page.keyboard.press("Escape");
    await page.keyboard.press("p");
    await page.getByRole("listbox").waitFor();
    await accessible(page, "picker");
    await page.keyboard.type("high");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Priority: High" }).waitFor();
  });
  await step("markup stays text", async () => {
    await call("POST", `/v1/public/conversations/${id}/messages`, { content: "<img src=x onerror=alert(1)> **x**", role: "incoming", });
    await log.getByText("<img src=x onerror=alert(1)> **x**").waitFor();
  });
  await step("a second tab hears the same, also when the first is gone", async () => {
    const second = await watched(context);
    await second.goto(`${origin}/inbox/${id}`);
    await second.getByRole("log").locator("article").first().waitFor();
    await call("POST", `/v1/public/conversations/${id}/messages`, { content: "to both tabs" });
    await log.getByText("to both tabs").waitFor();
    await second.getByRole("log").getByText("to both tabs").waitFor();
    await page.close();
    await call("POST", `/v1/public/conversations/${id}/messages`, { content: "to the one that stays" });
    await second.getByRole("log").getByText("to the one that stays").waitFor();
    await second.close();
  });
  return id;
}

// A server that goes and comes back: what was written waits, what was missed arrives.
async function restart(context, id) {
  const page = await watched(context, /./);
  await step("a server that starts again", async () => {
    await page.goto(`${origin}/inbox/${id}`);
    await page.getByRole("log").locator("article").first().waitFor();
    await server.stop();
    await page.getByRole("textbox", { name: "Reply" }).fill("written while away");
    await page.keyboard.press("Control+Enter");
    await page.getByText("Not sent").waitFor();
    server = await serve(`127.0.0.1:${address.port}`);
    await call("POST", `/v1/public/conversations/${id}/messages`, { content: "said while away" });
    await page.getByRole("log").getByText("said while away").waitFor();
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText("Not sent").waitFor({ state: "detached" });
    const thread = await call("GET", `/v1/public/conversations/${id}`);
    const sent = thread.messages.data.filter((message) => message.content === "written while away");
    if (sent.length !== 1) throw new Error(`the answer was posted ${sent.length} times`);
  });
  await page.close();
}

async function pages(context) {
  const page = await watched(context);
  for (const [path, heading] of [["search?q=parcel", "Search"], ["contacts", "Contacts"], ["companies", "Companies"], ["reports", "Reports"], ["settings", null], ["styleguide", "Style guide"]]) {
    await step(path, async () => {
      await page.goto(`${origin}/${path}`);
      await page.getByRole("heading", { level: 1, ...(heading && { name: heading }) }).first().waitFor();
      await page.waitForLoadState("load");
      await accessible(page, path.replace(/\W.*/, ""));
    });
  }
}

async function phone() {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, colorScheme: "dark" });
  context.setDefaultTimeout(20_000);
  const page = await watched(context);
  await step("phone", async () => {
    await signIn(page, "/inbox?status=open");
    await page.locator("[data-row]").first().waitFor();
    await accessible(page, "phone-list");
    await page.locator("[data-row]").nth(1).tap();
    await page.getByRole("log").locator("article").first().waitFor();
    await accessible(page, "phone-conversation");
    await page.getByRole("link", { name: "Back to the list" }).tap();
    await page.getByRole("button", { name: "Navigation" }).tap();
    await page.getByRole("dialog").getByRole("link", { name: "Contacts" }).tap();
    await page.waitForURL(/contacts/);
  });
  await context.close();
}

try {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  context.setDefaultTimeout(20_000);
  const id = await inbox(context);
  await pages(context);
  await phone();
  await restart(context, id);
  for (const fault of new Set(faults)) console.error(fault);
  console.log(`${steps} steps worked; ${new Set(faults).size} faults`);
} finally {
  await browser.close();
  await server.stop();
  await rm(data, { recursive: true, force: true });
}
process.exit(faults.length > 0 ? 1 : 0);
