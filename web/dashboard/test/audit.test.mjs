// The audit log: what the settings show of it, its filters, and its downloads.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { as, client, openSuite, signIn, until } from "./start.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const { scene, desk, server } = await openSuite();

const entries = (page) => page.getByRole("list", { name: "Entries" }).getByRole("listitem");

scene("a change appears with who made it, from where, and what it changed", async ({ page }) => {
  const product = await desk.post("/v1/dashboard/products", { name: "Umbrellas" });
  await desk.patch(`/v1/dashboard/products/${product.id}`, { description: "Against rain" });
  await page.goto("/settings/audit");
  const those = entries(page).filter({ hasText: "Product Umbrellas" }); // a phone of the demo may be pairing meanwhile
  const [newest, before] = [those.nth(0), those.nth(1)];
  await newest.getByText("Product changed").waitFor();
  await newest.getByText("Product Umbrellas").waitFor();
  await newest.getByText("description").waitFor();
  await before.getByText("Product created").waitFor();
});

scene("filters leave the entries of an action and of a member, by the keyboard", async ({ page }) => {
  await page.goto("/settings/audit");
  await entries(page).first().waitFor();
  const action = page.getByRole("combobox", { name: "Action" });
  await action.focus();
  await action.selectOption({ label: "Product created" });
  await until("only products", async () => {
    const names = await entries(page).locator("strong").allInnerTexts();
    return names.length > 0 && names.every((name) => name === "Product created");
  });
  await page.getByRole("combobox", { name: "Who" }).selectOption({ label: "The server" });
  await page.getByText("No entries").waitFor();
  await page.getByRole("combobox", { name: "Who" }).selectOption({ label: "Anyone" });
  await page.getByLabel("From").fill("2999-01-01");
  await page.getByText("No entries").waitFor();
});

scene("what a former member and a key did is found by their names, in the downloads too", async ({ page }) => {
  const { id } = (await desk.get("/v1/dashboard/keys")).data.find(({ name }) => name === "First key") ?? (await desk.get("/v1/dashboard/keys")).data[0];
  const key = client(server.origin, { Authorization: `Bearer ${server.key}` });
  const article = await key.post("/v1/public/articles", { language: "en", title: "Folding chairs" });
  await key.delete(`/v1/public/articles/${article.id}`);
  const { member } = await desk.get("/v1/dashboard/session");
  const other = (await desk.get("/v1/public/members")).data.find((one) => one.id !== member.id && one.role === "agent");
  await desk.delete(`/v1/dashboard/members/${other.id}`);
  await page.goto("/settings/audit");
  const who = page.getByRole("combobox", { name: "Who" });
  await who.locator("option", { hasText: `${other.name} (former member)` }).waitFor({ state: "attached" });
  const names = await who.locator("option").allInnerTexts();
  assert.ok(
    names.some((name) => name.endsWith(" (API key)")),
    names.join(),
  );
  await who.selectOption(id);
  await page.getByRole("combobox", { name: "Action" }).selectOption({ label: "Article deleted" });
  await until("only the article", async () => (await entries(page).locator("strong").allInnerTexts()).join() === "Article deleted");
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "Download as CSV" }).click()]);
  assert.equal((await readFile(await download.path(), "utf8")).trim().split("\r\n").length, 2);
});

scene("the log is downloaded as a table and as lines, and says so", async ({ page }) => {
  await page.goto("/settings/audit");
  for (const [label, begin] of [
    ["Download as CSV", /^at,action,actor_type/],
    ["Download as JSON lines", /^\{"id":/],
  ]) {
    const link = page.getByRole("link", { name: label });
    const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
    assert.match(download.suggestedFilename(), /^audit-log-[\d-]+\.(csv|ndjson)$/);
    assert.match(await readFile(await download.path(), "utf8"), begin);
  }
  await page.reload();
  await entries(page).first().getByText("Audit log downloaded").waitFor();
});

scene("the page fits 320 pixels and has no fault of accessibility", { viewport: { width: 320, height: 640 } }, async ({ page }) => {
  await page.goto("/settings/audit");
  await entries(page).first().waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
  await page.evaluate(axe);
  const violations = await page.evaluate(async () => (await window.axe.run(document, { resultTypes: ["violations"] })).violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`));
  assert.deepEqual(violations, []);
});

scene("a member ends one session and all others, and an admin those of a member", { allow: [/Failed to load resource.*401/] }, async ({ page, visit }) => {
  const phone = await signIn(server.origin, server.login, server.password);
  await signIn(server.origin, server.login, server.password);
  const works = (token) =>
    client(server.origin, as(token))
      .get("/v1/dashboard/session")
      .then(
        () => true,
        () => false,
      );
  await page.goto("/settings/profile");
  const list = page.getByRole("list", { name: "Sessions" });
  const rows = list.getByRole("listitem");
  await rows.first().waitFor();
  const before = await rows.count();
  const end = list.getByRole("button", { name: /^End the session of/ });
  assert.equal(await end.count(), before - 1, "the session of this page can be ended");
  await end.first().press("Enter");
  await until("one session less", async () => (await rows.count()) === before - 1);
  await page.getByRole("button", { name: "End all others" }).press("Enter");
  await until("this session alone", async () => (await rows.count()) === 1);
  await until("the end of the phone's session", async () => !(await works(phone)));
  assert.ok(await page.getByText("This one").isVisible());

  const { link } = await desk.post("/v1/dashboard/invitations", { email: "sessions@example.org", role: "agent" });
  const guest = await (await visit({ token: "" })).newPage();
  await guest.goto(link);
  await guest.getByRole("textbox", { name: "Your name" }).fill("Sessy");
  await guest.getByLabel("Password", { exact: true }).fill("blue kettle on a hill");
  await guest.getByLabel("Repeat password").fill("blue kettle on a hill");
  await guest.keyboard.press("Enter");
  await guest.getByRole("heading", { name: "All open" }).waitFor();
  await page.goto("/settings/members");
  await page.getByRole("button", { name: "More about Sessy" }).click();
  await page.getByRole("menuitem", { name: "Where they are signed in" }).click();
  const dialog = page.getByRole("dialog", { name: "Where Sessy is signed in" });
  await dialog.getByRole("listitem").first().waitFor();
  await dialog.getByRole("button", { name: "End all sessions" }).click();
  await dialog.waitFor({ state: "detached" });
  await guest.waitForURL(/\/signin/);
});
