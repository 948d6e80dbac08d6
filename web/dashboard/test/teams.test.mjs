// Teams: made in the settings, given by the keyboard, found in the navigation.
import assert from "node:assert/strict";
import { openSuite, until } from "./start.mjs";

const { scene, api, desk } = await openSuite();

const teams = async () => (await api.get("/v1/public/teams")).data;
const conversationOf = async (more = {}) => {
  const contact = await api.post("/v1/public/contacts", { name: "Tea Member" });
  const made = await api.post("/v1/public/conversations", { contactId: contact.id, ...more });
  await api.post(`/v1/public/conversations/${made.id}/messages`, { content: "Hello", role: "incoming" });
  return `/v1/public/conversations/${made.id}`;
};

scene("a team is made, gets a conversation by its inbox and another by t, and is deleted", { allow: [/409/] }, async ({ page, visit, token }) => {
  const inbox = await desk.post("/v1/dashboard/inboxes", { name: "Returns desk", channelType: "api" });
  await page.goto("/settings/teams");
  await page.getByRole("button", { name: "New team" }).click();
  const form = page.getByRole("dialog", { name: "New team" });
  await form.getByRole("textbox", { name: "Name" }).fill("Trail");
  await form.getByRole("button", { name: "Create team" }).click();
  await form.getByText("Another one has this name.").waitFor();
  await form.getByRole("textbox", { name: "Name" }).fill("Returns");
  await form.getByRole("radio", { name: "purple" }).check({ force: true });
  await form.getByRole("group", { name: "Members" }).getByRole("checkbox").first().check();
  await form.getByRole("checkbox", { name: "Returns desk" }).check();
  await form.getByRole("group", { name: "Products" }).getByText("Now of Trail").waitFor();
  await form.getByRole("button", { name: "Create team" }).click();
  await form.waitFor({ state: "detached" });
  const row = page.getByRole("list", { name: "Teams" }).getByRole("listitem").filter({ hasText: "Returns desk" });
  await row.getByText(/^1 member · Returns desk$/).waitFor();
  const made = (await teams()).find(({ name }) => name === "Returns");
  assert.deepEqual([made.color, made.inboxIds], ["purple", [inbox.id]]);

  const [routed, plain] = [await conversationOf({ inboxId: inbox.id }), await conversationOf()];
  assert.equal((await api.get(routed)).team.name, "Returns");
  const watcher = await (await visit({ token })).newPage();
  await watcher.goto(`/inbox?status=open&teamId=${made.id}`);
  const watched = watcher.locator("[data-row]");
  await watched.first().waitFor();
  await watcher.getByRole("heading", { name: "Returns", exact: true }).waitFor();
  assert.equal(await watched.count(), 1);

  await page.goto(`/inbox/${plain.split("/").at(-1)}?status=open`);
  await page.getByRole("article").first().waitFor();
  await page.keyboard.press("t");
  await page.getByRole("combobox", { name: "Team" }).fill("ret");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Team: Returns" }).waitFor();
  await until("it has the team", async () => (await api.get(plain)).team?.name === "Returns");
  await until("the other page shows it", async () => (await watched.count()) === 2);
  await watcher.getByText("Returns desk · Returns").waitFor();

  await desk.patch(`/v1/dashboard/teams/${made.id}`, { name: "Send backs" });
  await page.getByRole("button", { name: "Team: Send backs" }).waitFor();
  await page.setViewportSize({ width: 320, height: 700 });
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
  await page.goto("/settings/teams");
  await page.getByRole("button", { name: "Delete Send backs" }).click();
  await page.getByRole("dialog", { name: "Delete the team Send backs?" }).getByRole("button", { name: "Delete team" }).click();
  await until("both have none", async () => (await api.get(plain)).team === null && (await api.get(routed)).team === null);
  await watcher.getByText("Returns desk · ").waitFor({ state: "detached" });
  await until("the list is empty", async () => (await watched.count()) === 0);
});

scene("the navigation has one's own teams", async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto("/inbox?status=open");
  const pages = page.getByRole("navigation", { name: "Pages" });
  await pages.getByRole("link", { name: "Rentals" }).click();
  await page.waitForURL((url) => url.searchParams.get("teamId") !== null);
  assert.equal(await pages.getByRole("link", { name: "Trail", exact: true }).count(), 0);
  const me = (await desk.get("/v1/dashboard/state")).member.id;
  const trail = (await teams()).find(({ name }) => name === "Trail");
  await desk.patch(`/v1/dashboard/teams/${trail.id}`, { memberIds: [...trail.memberIds, me] });
  await pages.getByRole("link", { name: "Trail", exact: true }).waitFor();
});
