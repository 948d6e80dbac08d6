// The search: its operators, and the one in an open conversation.
import assert from "node:assert/strict";
import { openSuite, until } from "./start.mjs";

const { scene, api, desk } = await openSuite();

const contact = await api.post("/v1/public/contacts", { name: "Fay Finder" });
const conversation = await api.post("/v1/public/conversations", { contactId: contact.id, labels: ["findable"] });
await desk.post("/v1/dashboard/labels", { name: "findable", color: "teal" });
const post = (content, more = {}) => api.post(`/v1/public/conversations/${conversation.id}/messages`, { content, role: "incoming", ...more });
const first = await post("A quokka sat on the red lamp");
for (let n = 0; n < 60; n++) await post(`line ${n}`);
const second = await post("Quokkas like lamps");
const other = await api.post("/v1/public/conversations", { contactId: contact.id });
await api.post(`/v1/public/conversations/${other.id}/messages`, { content: "another quokka", role: "incoming" });
await api.post(`/v1/public/conversations/${other.id}/messages`, {
  content: "**Bold** and _plain_",
  contentType: "markdown",
  role: "outgoing",
  agentId: (await desk.get("/v1/dashboard/state")).member.id,
});
await until("the index has them", async () => (await desk.get("/v1/dashboard/search?q=quokka&kind=message")).data.length === 3);

scene("the search offers operators, and values for them, by the keyboard", async ({ page }) => {
  await page.goto("/search");
  const field = page.getByRole("searchbox");
  await page.getByText("who wrote the message").waitFor();
  await page.getByRole("button", { name: "label:" }).click();
  await page.keyboard.type("FINDA");
  const values = page.getByRole("group", { name: "Values of label:" });
  await values.getByRole("button", { name: "findable" }).focus();
  await page.keyboard.press("Enter");
  assert.equal(await field.inputValue(), "label:findable ");
  await page.keyboard.type("quokka is:un");
  await page.getByRole("button", { name: "unread", exact: true }).waitFor();
  await page.keyboard.type("read");
  await until("two hits", async () => (await page.getByRole("list", { name: "Found" }).getByRole("link", { name: "Fay Finder" }).count()) === 2);
  assert.equal(new URL(page.url()).searchParams.get("q"), "label:findable quokka is:unread");
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 800 });
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
  }
});

scene("Mod+Shift+f finds messages in the open conversation, n and N go through them", async ({ page }) => {
  await page.goto(`/inbox/${conversation.id}?status=open`);
  await page.locator(`[data-message="${second.id}"]`).waitFor();
  await page.keyboard.press("Control+Shift+f");
  await page.getByRole("searchbox", { name: "Search in the conversation" }).fill("quokka");
  await page.getByText("1 of 2").waitFor();
  assert.equal(new URL(page.url()).searchParams.get("message"), second.id);
  await page.keyboard.press("Enter");
  await page.getByText("2 of 2").waitFor();
  await page.locator(`[data-message="${first.id}"][aria-current=true]`).waitFor();
  await until("the words are marked", () => page.evaluate(() => [...(CSS.highlights.get("found") ?? [])].some((range) => range.toString() === "quokka")));
  await page.getByRole("button", { name: "Older hit" }).focus();
  await page.keyboard.press("n");
  await page.getByText("1 of 2").waitFor();
  await page.locator(`[data-message="${second.id}"][aria-current=true]`).waitFor();
  await page.keyboard.press("Shift+n");
  await page.getByText("2 of 2").waitFor();
  await page.getByRole("searchbox", { name: "Search in the conversation" }).fill("zeppelin");
  await page.getByText("No hits").waitFor();
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 800 });
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole("button", { name: "Close the search" }).focus();
  await page.keyboard.press("Escape");
  await until("it is closed", async () => (await page.getByRole("searchbox", { name: "Search in the conversation" }).count()) === 0);
  assert.equal(new URL(page.url()).pathname, `/inbox/${conversation.id}`);
  await page.keyboard.press("Escape");
  await page.waitForURL((url) => url.pathname === "/inbox");
  const row = page.locator(`[data-row="${other.id}"]`);
  await row.waitFor();
  assert.match(await row.innerText(), /Bold and plain/);
});
