// The palette: everything that can be clicked, and verbs with arguments.
import assert from "node:assert/strict";
import { openSuite, until } from "./start.mjs";

const { scene, api, desk, join } = await openSuite();

await join({ email: "bodil@northwind.example", name: "Bodil Åberg" });
await desk.post("/v1/dashboard/labels", { name: "palettish", color: "teal" });
const contact = await api.post("/v1/public/contacts", { name: "Pal Etta" });
const conversation = await api.post("/v1/public/conversations", { contactId: contact.id });
const path = `/v1/public/conversations/${conversation.id}`;
await api.post(`${path}/messages`, { content: "Hello", role: "incoming" });

const openIt = async (page) => {
  await page.goto(`/inbox/${conversation.id}?status=open`);
  await page.getByRole("article").first().waitFor();
};
/** Types into the palette and runs the first command, which has the name. */
const tell = async (page, text, name) => {
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Search, or type a command" }).fill(text);
  const first = page.getByRole("dialog", { name: "Search and commands" }).getByRole("option").first();
  await until(`${text} is ${name}`, async () => name.test(await first.innerText()));
  await page.keyboard.press("Enter");
};

scene("verbs take arguments", async ({ page }) => {
  await openIt(page);
  await tell(page, "assign bodil", /^Assign to Bodil Åberg/);
  await until("assigned", async () => (await api.get(path)).assignee?.name === "Bodil Åberg");
  await tell(page, "label pal", /^Add the label palettish/);
  await until("labelled", async () => (await api.get(path)).labels.includes("palettish"));
  await tell(page, "priority hi", /^Priority: High/);
  await until("urgent", async () => (await api.get(path)).priority === "high");
  await tell(page, "dark", /^Dark theme/);
  await until("it is dark", async () => (await page.evaluate(() => document.documentElement.dataset.theme)) === "dark");
  await tell(page, "go to lan", /^Settings: Language models/);
  await page.waitForURL((url) => url.pathname === "/settings/models");
  await tell(page, `open ${conversation.id}`, /^Open the conversation/);
  await page.waitForURL((url) => url.pathname === `/inbox/${conversation.id}`);
  await page.getByRole("article").first().waitFor();
  await tell(page, "snooze tomorrow 9", /^Snooze until .*09:00/);
  await until("it sleeps", async () => (await api.get(path)).snoozedUntil !== null);
  await page.keyboard.press("Control+k");
  await page.getByText("Recent", { exact: true }).waitFor(); // the theme, and the settings
  assert.match(await page.getByRole("option").first().innerText(), /Settings: Language models|Dark theme/);
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 800 });
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
  }
});

scene("the palette has a command for every button of the inbox", async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await openIt(page);
  await page.getByRole("complementary", { name: "Contact" }).getByRole("heading").first().waitFor();
  const names = await page.evaluate(() => {
    const shown = [...document.querySelectorAll("button, a")].filter((one) => one.checkVisibility() && !one.disabled);
    // Rows and what a contact's details link to are found by the search; what folds or opens a menu is no action.
    const meant = shown.filter((one) => !one.closest("[data-row], aside[aria-label=Contact], [role=log]") && !one.hasAttribute("data-row") && !/^Skip/.test(one.textContent));
    const said = (one) => (one.getAttribute("aria-label") ?? one.querySelector("span")?.textContent ?? one.textContent).trim();
    return meant.filter((one) => one.getAttribute("aria-haspopup") !== "menu" && !(one.hasAttribute("aria-expanded") && one.closest("nav"))).map((one) => said(one).split(":")[0]);
  });
  assert.ok(names.length > 30, `only ${names}`);
  await page.getByRole("button", { name: "More about this conversation" }).click();
  const items = page.getByRole("menuitem");
  await items.first().waitFor();
  names.push(...(await items.evaluateAll((all) => all.map((one) => one.querySelector("span")?.textContent ?? one.textContent))));
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+k");
  const field = page.getByRole("combobox", { name: "Search, or type a command" });
  const missing = [];
  for (const name of new Set(names)) {
    if (name === "Search") continue; // the palette itself
    await field.fill(name);
    const known = page.locator("[role=option][data-command]", { hasText: new RegExp(name.slice(0, 6).trim(), "i") }).first();
    await known.waitFor({ timeout: 2000 }).catch(() => missing.push(name));
  }
  assert.deepEqual(missing, []);
});
