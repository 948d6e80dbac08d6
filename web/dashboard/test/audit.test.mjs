// The audit log: what the settings show of it, its filters, and its downloads.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { openSuite, until } from "./start.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const { scene, desk } = await openSuite();

const entries = (page) => page.getByRole("list", { name: "Entries" }).getByRole("listitem");

scene("a change appears with who made it, from where, and what it changed", async ({ page }) => {
  const product = await desk.post("/v1/dashboard/products", { name: "Umbrellas" });
  await desk.patch(`/v1/dashboard/products/${product.id}`, { description: "Against rain" });
  await page.goto("/settings/audit");
  const [newest, before] = [entries(page).nth(0), entries(page).nth(1)];
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
