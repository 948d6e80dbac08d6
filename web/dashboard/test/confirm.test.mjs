// The question whether the member is still there, before what changes who gets in.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { openSuite } from "./start.mjs";

const { scene, server } = await openSuite();
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const refused = [/Failed to load resource.*40[03]/];
const confirmation = "**/v1/dashboard/session/confirm";

/**
 * Answers the next `times` requests like a server on which the session was confirmed long ago, and is until the question
 * is answered. Returns how many came.
 */
async function unconfirmed(page, path, times) {
  const seen = { count: 0 };
  let confirmed = false;
  await page.route(confirmation, async (route) => {
    if (route.request().method() === "GET" && !confirmed) return route.fulfill({ json: { confirmedUntil: null, password: true, code: false, byProvider: false } });
    if (route.request().method() === "GET") return route.fallback();
    const response = await route.fetch();
    confirmed = response.ok();
    return route.fulfill({ response }).catch(() => {}); // the page may not wait any more
  });
  await page.route(path, (route) => {
    if (route.request().method() !== "POST" || ++seen.count > times) return route.fallback();
    return route.fulfill({ status: 403, headers: { "Parley-Error": "unconfirmed" }, json: { error: "confirm first that it is you, by POST /v1/dashboard/session/confirm; this lasts 15 minutes" } });
  });
  return seen;
}

const question = (page) => page.getByRole("dialog", { name: "Confirm that it is you" });

scene("a key is created after the question, and not without an answer", { allow: refused, viewport: { width: 320, height: 640 } }, async ({ page }) => {
  const seen = await unconfirmed(page, "**/v1/dashboard/keys", 2);
  await page.goto("/settings/keys");
  await page.getByRole("button", { name: "New key" }).click();
  const form = page.getByRole("dialog", { name: "New API key" });
  await form.getByRole("textbox", { name: "Name" }).fill("Till");
  await form.getByRole("checkbox").first().check();
  await form.getByRole("textbox", { name: "Name" }).focus();
  await page.keyboard.press("Enter");

  await question(page).waitFor();
  await page.waitForFunction(() => document.activeElement?.closest("[role=dialog]")?.textContent.includes("Your password"));
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }));
  assert.deepEqual(
    violations.map(({ id, nodes }) => `${id} ${nodes[0].html}`),
    [],
  );
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "the question scrolls sideways");
  await page.keyboard.press("Escape");
  await question(page).waitFor({ state: "detached" });
  await form.getByText("Nothing was changed, because you have not confirmed that it is you.").waitFor();
  assert.equal(await form.getByRole("textbox", { name: "Name" }).inputValue(), "Till");

  await form.getByRole("textbox", { name: "Name" }).press("Enter");
  const password = question(page).getByLabel("Your password");
  await password.waitFor();
  await page.keyboard.type("not the password");
  await page.keyboard.press("Enter");
  await question(page).getByText("Must be your password.").waitFor();
  await password.fill(server.password);
  await page.keyboard.press("Enter");
  await question(page).waitFor({ state: "detached" });
  await page.getByText(/^pk_/).first().waitFor();
  assert.equal(seen.count, 3, "the request was not repeated once");
});

/** Fills in a new key, and sends it. */
async function sendKey(page, name) {
  await page.getByRole("button", { name: "New key" }).click();
  const form = page.getByRole("dialog", { name: "New API key" });
  await form.getByRole("textbox", { name: "Name" }).fill(name);
  await form.getByRole("checkbox").first().check();
  await form.getByRole("textbox", { name: "Name" }).press("Enter");
  return form;
}

scene("a refusal from before the answer to the question is repeated without another one", { allow: refused }, async ({ page }) => {
  let count = 0;
  await page.route("**/v1/dashboard/keys", (route) => {
    if (route.request().method() !== "POST" || ++count > 1) return route.fallback();
    return route.fulfill({ status: 403, headers: { "Parley-Error": "unconfirmed" }, json: { error: "confirm first that it is you, by POST /v1/dashboard/session/confirm; this lasts 15 minutes" } });
  });
  await page.goto("/settings/keys"); // the session counts as confirmed, because it has just begun
  const made = page.waitForResponse((response) => response.url().endsWith("/keys") && response.status() === 201);
  await sendKey(page, "Shop");
  await made;
  assert.equal(count, 2);
  assert.equal(await question(page).count(), 0);
});

scene(
  "a question that is dismissed while its answer is on the way sends nothing, and the form keeps what was entered",
  { allow: [...refused, /Failed to load resource.*ERR_FAILED/] },
  async ({ page }) => {
    const seen = await unconfirmed(page, "**/v1/dashboard/keys", 2);
    await page.goto("/settings/keys");
    const form = await sendKey(page, "Till");
    let answer = () => {};
    const held = new Promise((resolve) => (answer = resolve));
    const [sent, aborted] = [
      page.waitForRequest((r) => r.url().endsWith("/session/confirm") && r.method() === "POST"),
      page.waitForEvent("requestfailed", (r) => r.url().endsWith("/session/confirm")),
    ];
    await page.route(confirmation, async (route) => {
      if (route.request().method() === "GET") return route.fallback();
      await held;
      return route.abort().catch(() => {});
    });
    await question(page).getByLabel("Your password").fill(server.password);
    await page.keyboard.press("Enter");
    await sent;
    await page.keyboard.press("Escape");
    await aborted;
    answer();
    await question(page).waitFor({ state: "detached" });
    await form.getByText("Nothing was changed, because you have not confirmed that it is you.").waitFor();
    assert.equal(await form.getByRole("textbox", { name: "Name" }).inputValue(), "Till");
    assert.equal(seen.count, 1);
    await page.unroute(confirmation);
  },
);

scene("a question ends with the page that asked it", { allow: refused }, async ({ page }) => {
  const seen = await unconfirmed(page, "**/v1/dashboard/keys", 1);
  await page.goto("/settings/members");
  await page.getByRole("link", { name: "API keys" }).first().click();
  await sendKey(page, "Till");
  await question(page).waitFor();
  await page.goBack();
  await question(page).waitFor({ state: "detached" });
  await page.getByRole("heading", { name: "Members" }).first().waitFor();
  assert.equal(seen.count, 1);
});

scene("the audit log is downloaded after the question", { allow: refused }, async ({ page }) => {
  await page.route(confirmation, (route) =>
    route.request().method() === "GET" ? route.fulfill({ json: { confirmedUntil: null, password: true, code: false, byProvider: false } }) : route.fallback(),
  );
  await page.goto("/settings/audit");
  await page.getByRole("link", { name: "Download as CSV" }).click();
  await question(page).getByRole("button", { name: "Cancel" }).click();
  await page.getByText("Nothing was changed, because you have not confirmed that it is you.").waitFor();
  await page.getByRole("link", { name: "Download as CSV" }).click();
  await question(page).getByLabel("Your password").fill(server.password);
  const [download] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Enter")]);
  assert.match(download.suggestedFilename(), /^audit-log-[\d-]+\.csv$/);
  await page.reload();
  await page.getByRole("list", { name: "Entries" }).getByText("Session confirmed").first().waitFor();
});

for (const password of [true, false]) {
  scene(`a member who came by the provider signs in there again (password: ${password})`, { allow: refused, viewport: { width: 320, height: 640 } }, async ({ page }) => {
    await unconfirmed(page, "**/v1/dashboard/keys", 1);
    await page.route(confirmation, (route) => route.fulfill({ json: { confirmedUntil: null, password, code: false, byProvider: true } }));
    let asked = null;
    await page.route("**/v1/dashboard/session/provider**", (route) => {
      if (route.request().method() === "GET") {
        const workspaceId = new URL(route.request().url()).searchParams.get("workspaceId");
        return route.fulfill({ json: { provider: { workspaceId, issuer: "https://login.acme.example" } } });
      }
      asked = route.request().postDataJSON();
      return route.fulfill({ json: { address: "/settings/keys?back" } });
    });
    await page.goto("/settings/keys");
    await page.getByRole("button", { name: "New key" }).click();
    const form = page.getByRole("dialog", { name: "New API key" });
    await form.getByRole("textbox", { name: "Name" }).fill("Till");
    await form.getByRole("checkbox").first().check();
    await form.getByRole("textbox", { name: "Name" }).press("Enter");
    await question(page).getByRole("button", { name: "Sign in again with login.acme.example" }).waitFor();
    assert.equal(await question(page).getByLabel("Your password").count(), password ? 1 : 0);
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => globalThis.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }));
    assert.deepEqual(
      violations.map(({ id, nodes }) => `${id} ${nodes[0].html}`),
      [],
    );
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "the question scrolls sideways");
    await question(page).getByRole("button", { name: "Sign in again with login.acme.example" }).click();
    await page.waitForURL("**/settings/keys?back");
    assert.equal(asked.next, "/settings/keys");
    assert.equal(asked.confirm, true);
    assert.match(asked.workspaceId, /^[0-9a-f-]{36}$/);
  });
}
