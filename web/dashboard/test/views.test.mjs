// Saved views: they move from the browser to the server, are counted, and are saved, renamed, shared and deleted.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { openSuite, until } from "./start.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const { scene, api, desk, join } = await openSuite();

const contact = await api.post("/v1/public/contacts", { name: "Vi Ewing" });
const conversation = await api.post("/v1/public/conversations", { contactId: contact.id, labels: ["kayak"], priority: "urgent" });
await api.post(`/v1/public/conversations/${conversation.id}/messages`, { content: "Is it wet?", role: "incoming" });
await api.patch(`/v1/public/conversations/${conversation.id}`, { labels: ["kayak"], priority: "urgent" });
const agent = await join({ email: "vera@northwind.example", name: "Vera Agent" });

const link = (page, name) => page.getByRole("navigation").getByRole("link", { name });
const faults = async (page) => {
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`);
};
const named = async (name) => (await desk.get("/v1/dashboard/views")).data.filter((one) => one.name === name);

scene("what two tabs of a browser kept moves to the server once, and follows the member", async ({ context, page, visit, token }) => {
  const kept = [{ name: "Kayaks", query: "?status=open&label=kayak" }];
  await page.goto("/contacts");
  await page.evaluate((views) => localStorage.setItem("parley.views", JSON.stringify(views)), kept);
  const other = await context.newPage();
  await Promise.all([page, other].map((one) => one.goto("/inbox?status=open")));
  for (const one of [page, other]) await link(one, /^Kayaks 1$/).waitFor();
  assert.equal((await named("Kayaks")).length, 1);
  assert.equal(await page.evaluate(() => localStorage.getItem("parley.views")), null);
  const elsewhere = await (await visit({ token })).newPage();
  await elsewhere.goto("/inbox?status=open");
  await link(elsewhere, /^Kayaks 1$/).click();
  await elsewhere.getByRole("heading", { name: "Kayaks" }).waitFor();
});

scene("a view of one's own appears, changes and goes on the member's other pages", async ({ context, page, visit, token }) => {
  const tab = await context.newPage();
  const elsewhere = await (await visit({ token })).newPage();
  const pages = [page, tab, elsewhere];
  for (const one of pages) {
    await one.goto("/inbox?status=open");
    await one.getByRole("list", { name: "All open" }).getByRole("listitem").first().waitFor();
  }
  const pinned = { name: "Tides", query: "label=kayak", pinned: true };
  const { id } = await desk.post("/v1/dashboard/views", pinned);
  for (const one of pages) await link(one, /^Tides 1$/).waitFor();
  await desk.patch(`/v1/dashboard/views/${id}`, { name: "Floods" });
  for (const one of pages) await link(one, /^Floods 1$/).waitFor();
  await desk.delete(`/v1/dashboard/views/${id}`);
  for (const one of pages) await link(one, /^Floods/).waitFor({ state: "detached" });
});

scene("a view is filtered, saved, shared and deleted, and everybody has it meanwhile", async ({ context, page, visit }) => {
  await context.addInitScript({ content: axe });
  const tell = async (name) => {
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Search, or type a command" }).fill(name);
    const first = page.getByRole("dialog", { name: "Search and commands" }).getByRole("option").first();
    await until(name, async () => (await first.innerText()).startsWith(name));
    await page.keyboard.press("Enter");
    return page.getByRole("dialog", { name });
  };
  const fits = async () => {
    assert.deepEqual(await faults(page), []);
    await page.setViewportSize({ width: 320, height: 800 });
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
    await page.setViewportSize({ width: 1280, height: 800 });
  };
  await page.goto("/inbox?status=open");
  await page.getByRole("list", { name: "All open" }).getByRole("listitem").first().waitFor();
  const filter = await tell("Filter");
  await filter.getByLabel("Priority").selectOption("urgent");
  await filter.getByLabel("Active since").fill("2026-01-31");
  await fits();
  await page.keyboard.press("Tab");
  await filter.getByRole("button", { name: "Show" }).press("Enter");
  await page.waitForURL((url) => url.searchParams.get("priority") === "urgent" && url.searchParams.get("activeAfter")?.startsWith("2026-01-3"));
  await page.getByRole("link", { name: /Vi Ewing/ }).waitFor();

  const saving = await tell("Save this view");
  await saving.getByLabel("Name").fill("Fires");
  await fits();
  await saving.getByLabel("Name").press("Enter");
  await link(page, /^Fires/).waitFor();
  const editing = await tell("Edit this view");
  await editing.getByLabel("Name").fill("Blazes");
  await fits();
  await editing.getByLabel("Name").press("Enter");
  await link(page, /^Blazes/).waitFor();
  await tell("Edit this view");
  await editing.getByLabel("For").selectOption("Everybody");
  await editing.getByLabel("Name").press("Enter");
  await page.getByText("The view Blazes is shared").waitFor();
  assert.deepEqual(
    (await named("Blazes")).map(({ scope }) => scope),
    ["all"],
  );

  const hers = await (await visit({ token: agent, locale: "de-DE" })).newPage();
  await hers.goto("/inbox?status=open");
  await link(hers, /^Für alle Blazes/).click();
  await hers.getByRole("heading", { name: "Blazes" }).waitFor();
  assert.equal(await hers.getByRole("button", { name: /^Diese Ansicht/ }).count(), 0);

  await tell("Edit this view");
  await editing.getByRole("button", { name: "Delete" }).press("Enter");
  await page.getByRole("dialog", { name: "Delete the view Blazes?" }).getByRole("button", { name: "Delete view" }).press("Enter");
  for (const one of [page, hers]) await link(one, /Blazes/).waitFor({ state: "detached" });
});

scene("a team has views: its members see and change them, others do not, and they end with it", async ({ page, visit }) => {
  const { members } = await desk.get("/v1/dashboard/state");
  const hers = members.find(({ email }) => email === "vera@northwind.example");
  const team = await desk.post("/v1/dashboard/teams", { name: "Kayaking", color: "teal", memberIds: [hers.id] });
  const outsider = await join({ email: "olaf@northwind.example", name: "Olaf Agent" });
  const [inside, outside] = await Promise.all([agent, outsider].map(async (token) => await (await visit({ token })).newPage()));
  for (const one of [page, inside, outside]) await one.goto("/inbox?status=open&label=kayak");
  await inside.getByRole("link", { name: /Vi Ewing/ }).waitFor();
  await inside.keyboard.press("Control+k");
  await inside.getByRole("combobox", { name: "Search, or type a command" }).fill("Save this view");
  await inside
    .getByRole("dialog", { name: "Search and commands" })
    .getByRole("option", { name: /^Save this view/ })
    .waitFor();
  await inside.keyboard.press("Enter");
  const saving = inside.getByRole("dialog", { name: "Save this view" });
  await saving.getByLabel("Name").fill("Paddles");
  await saving.getByLabel("For").selectOption("Team Kayaking");
  assert.equal(await saving.getByRole("option", { name: "Everybody" }).count(), 0);
  await saving.getByLabel("Name").press("Enter");
  const ofTeam = (one) => one.getByRole("list", { name: "Views of Kayaking" }).getByRole("link", { name: /^Paddles 1$/ });
  for (const one of [page, inside]) await ofTeam(one).waitFor();
  assert.equal(await outside.getByRole("link", { name: /Paddles/ }).count(), 0);
  await ofTeam(inside).click();
  await inside.getByRole("heading", { name: "Paddles" }).waitFor();

  await desk.patch(`/v1/dashboard/teams/${team.id}`, { memberIds: [] });
  await ofTeam(inside).waitFor({ state: "detached" });
  await desk.delete(`/v1/dashboard/teams/${team.id}`);
  await ofTeam(page).waitFor({ state: "detached" });
  assert.deepEqual(await named("Paddles"), []);
});
