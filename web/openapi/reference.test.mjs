// Opens the three references and the notice on stores in a real browser. It
// fails if an operation is not shown, if anything is requested from another
// origin, and on every error in the console, including violations of the
// Content-Security-Policy.
//
//   node reference.test.mjs http://127.0.0.1:8080 [folder for pictures]
//   node reference.test.mjs ../../bin/parley [folder for pictures]
//
// With a binary, it starts a server of its own on an empty store.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { chromium } from "playwright-core";
import { findChromium } from "../dashboard/test/chromium.mjs";

const [target, pictures] = process.argv.slice(2);
if (!target) {
  console.error("usage: node reference.test.mjs <base URL of a running server, or the binary> [folder for pictures]");
  process.exit(2);
}
const server = /^https?:/.test(target) ? { origin: new URL(target).origin, stop() {} } : await serve(target);
const { origin } = server;
const faults = [];
const check = (holds, fault) => holds || faults.push(fault);

const browser = await chromium.launch({
  executablePath: findChromium(),
  args: [
    "--no-sandbox", // as root in CI
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ],
});

// serve starts the binary on a free port with an empty store.
async function serve(binary) {
  const data = await mkdtemp(join(tmpdir(), "parley-reference-"));
  const child = spawn(binary, ["serve", "--listen", "127.0.0.1:0", "--data", data], { stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(child, "exit");
  process.on("exit", () => child.kill()); // however this test ends
  const stop = async () => {
    child.kill();
    await exited;
    await rm(data, { recursive: true });
  };
  for await (const line of createInterface({ input: child.stdout })) {
    const [, address] = line.match(/serves on\s+(http:\S+)/) ?? [];
    if (address) {
      child.stdout.resume(); // nobody reads the rest, and the server must not block on it
      return { origin: address, stop };
    }
  }
  await stop();
  throw new Error(`${binary} ended without an address`);
}

// watched opens a page and records its requests, errors and violations as faults.
async function watched(context, path) {
  const page = await context.newPage();
  page.on("request", (request) => {
    const url = new URL(request.url());
    check(url.origin === origin || url.protocol === "data:", `${path}: asked for ${request.url()}`);
  });
  page.on("requestfailed", (request) => faults.push(`${path}: failed: ${request.url()} ${request.failure()?.errorText}`));
  page.on("response", (response) => check(response.status() < 400, `${path}: ${response.status()} for ${response.url()}`));
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") faults.push(`${path}: console: ${message.text()}`);
  });
  page.on("pageerror", (error) => faults.push(`${path}: script: ${error.message}`));
  await page.addInitScript(() => {
    window.violations = [];
    document.addEventListener("securitypolicyviolation", (event) => {
      window.violations.push(`${event.violatedDirective}: ${event.blockedURI} ${event.sourceFile}`);
    });
  });
  await page.goto(origin + path);
  return page;
}

async function finish(page, path, picture) {
  for (const violation of await page.evaluate(() => window.violations)) faults.push(`${path}: policy: ${violation}`);
  if (pictures) await page.screenshot({ path: join(pictures, picture) });
}

// reference opens the reference of a document, and returns the number of
// operations on it.
async function reference(context, path, documentPath) {
  const page = await watched(context, path);
  await page.locator(".opblock").first().waitFor();
  const answer = await fetch(origin + documentPath);
  const spec = await answer.json();
  const wanted = Object.entries(spec.paths).flatMap(([path, item]) => Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`));
  // The viewer shows them one after another, and of a long document only those
  // in sight: the window holds them all. What is missing in the end is named below.
  await page.setViewportSize({ width: 1280, height: 300 + 100 * wanted.length });
  await page.waitForFunction((count) => document.querySelectorAll(".opblock").length >= count, wanted.length, { timeout: 30_000 }).catch(() => {});
  const shown = await page.locator(".opblock").evaluateAll((blocks) =>
    blocks.map((block) => {
      const method = block.querySelector(".opblock-summary-method").textContent.trim();
      return `${method} ${block.querySelector(".opblock-summary-path, .opblock-summary-path__deprecated").dataset.path}`;
    }),
  );
  for (const operation of wanted) check(shown.includes(operation), `${path}: ${operation} is not shown`);
  check(wanted.length > 0 && shown.length === wanted.length, `${path}: ${shown.length} operations are shown, of ${wanted.length}`);
  const chosen = await page.locator("nav.documents a[aria-current]").evaluateAll((links) => links.map((link) => link.pathname));
  check(chosen.length === 1 && chosen[0] === path, `${path}: the navigation shows ${chosen}`);
  const name = path.replace(/^\/docs\/?/, "") || "public";
  await finish(page, path, `${name}.png`);

  // Open every operation, or one of each kind if the page is otherwise the
  // same: content that is rendered only then must load nothing either. They are
  // opened one after another, because in a long document an open one moves
  // others out of sight. The short form (SHORT=true) opens one of each kind.
  const first = ".opblock-tag-section > div span:first-child > .opblock, [data-index]:has(.opblock-tag) + [data-index] .opblock";
  const blocks = page.locator(path === "/docs" && process.env.SHORT !== "true" ? ".opblock" : first);
  const opened = await blocks.count();
  check(opened > 0, `${path}: no operation can be opened`);
  for (let i = 0; i < opened; i++) {
    const control = blocks.nth(i).locator(".opblock-summary-control");
    await control.evaluate((button) => button.click());
    await blocks.nth(i).locator(".opblock-body .responses-table").first().waitFor();
    const unresolved = await page.getByText("Could not resolve reference").count();
    check(unresolved === 0, `${path}: a reference of operation ${i} leads to nothing`);
    await control.evaluate((button) => button.click());
  }
  if (path === "/docs") await tryOut(page.locator("#operations-Server-getHealth"));
  await finish(page, path, `${name}-opened.png`);
  await page.close();
  return shown.length;
}

// tryOut makes the page send a request.
async function tryOut(operation) {
  await operation.locator(".opblock-summary-control").evaluate((button) => button.click());
  await operation.getByRole("button", { name: "Try it out" }).click();
  await operation.getByRole("button", { name: "Execute" }).click();
  await operation.locator(".live-responses-table .response-col_status").filter({ hasText: "200" }).first().waitFor();
}

async function notice(context) {
  const path = "/docs/deprecations/stores";
  const page = await watched(context, path);
  const text = await page.locator("main").innerText();
  for (const word of ["16 February 2026", "16 February 2027", "/v1/public/companies", "companyId"]) {
    check(text.includes(word), `${path}: ${word} is not shown`);
  }
  await finish(page, path, "stores.png");
}

// dark opens the pages for a reader who prefers dark ones: on every page, the
// text is light on dark.
async function dark(browser) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, colorScheme: "dark" });
  context.setDefaultTimeout(60_000);
  for (const [path, text] of [
    ["/docs", ".opblock-summary-description"],
    ["/docs", ".info .title"],
    ["/docs", "nav.documents a"],
    ["/docs/deprecations/stores", "main p"],
    ["/docs/deprecations/stores", "main a"],
  ]) {
    const page = await watched(context, path);
    await page.locator(text).first().waitFor();
    const contrast = await page.locator(text).first().evaluate(contrastOf);
    check(contrast.ground < 0.1 && contrast.ratio >= 4.5, `${path}: in the dark ${text} has the contrast ${contrast.ratio.toFixed(1)} on a ground of ${contrast.ground.toFixed(2)}`);
    await finish(page, path, `dark${path.replaceAll("/", "-")}.png`);
    await page.close();
  }
  await context.close();
}

// contrastOf runs in the page: WCAG 2.2, relative luminance and contrast ratio.
function contrastOf(element) {
  const numbers = (color) => color.match(/[\d.]+/g).map(Number);
  const luminance = (color) => {
    const [r, g, b] = numbers(color).map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const painted = (at) => (numbers(getComputedStyle(at).backgroundColor)[3] ?? 1) > 0.5;
  let under = element;
  while (under.parentElement && !painted(under)) under = under.parentElement;
  const ground = luminance(getComputedStyle(under).backgroundColor);
  const ink = luminance(getComputedStyle(element).color);
  return { ground, ratio: (Math.max(ground, ink) + 0.05) / (Math.min(ground, ink) + 0.05) };
}

// control opens a page that violates the rules, to show that the watch sees it.
async function control(context) {
  const other = createServer((_, answer) => {
    answer.setHeader("Content-Security-Policy", "default-src 'none'");
    answer.setHeader("Content-Type", "text/html");
    answer.end("<!doctype html><link rel=icon href=data:,><title>x</title><script>1</script>");
  });
  await new Promise((listening) => other.listen(0, "127.0.0.1", listening));
  const before = faults.length;
  const page = await context.newPage();
  const violations = [];
  page.on("console", (message) => message.type() === "error" && violations.push(message.text()));
  await page.goto(`http://127.0.0.1:${other.address().port}/`);
  await page.close();
  other.close();
  faults.length = before;
  check(violations.length > 0, "the browser does not tell of violations of a policy");
}

try {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  context.setDefaultTimeout(60_000);
  await control(context);
  let operations = 0;
  for (const [path, documentPath] of [
    ["/docs", "/v1/public/openapi.json"],
    ["/docs/widget", "/v1/widget/openapi.json"],
    ["/docs/dashboard", "/v1/dashboard/openapi.json"],
  ]) {
    operations += await reference(context, path, documentPath);
  }
  await notice(context);
  await dark(browser);
  for (const fault of new Set(faults)) console.error(fault);
  console.log(`${operations} operations are shown; ${new Set(faults).size} faults`);
} finally {
  await browser.close();
  await server.stop();
}
process.exit(faults.length > 0 ? 1 : 0);
