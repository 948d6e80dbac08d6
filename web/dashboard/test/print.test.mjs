// A conversation on paper.
import assert from "node:assert/strict";
import { openSuite, until } from "./start.mjs";

const { scene, api, desk } = await openSuite();

const me = (await desk.get("/v1/dashboard/state")).member.id;
const contact = await api.post("/v1/public/contacts", { name: "Paula Paper" });
const conversation = await api.post("/v1/public/conversations", { contactId: contact.id });
const post = (content, more = {}) => api.post(`/v1/public/conversations/${conversation.id}/messages`, { content, role: "incoming", ...more });
for (let n = 1; n <= 150; n++) await post(`Line ${n}`);
await post("**Bold** answer", { contentType: "markdown", role: "outgoing", agentId: me });
await post("For us alone", { isPrivate: true, role: "outgoing", agentId: me });

scene("a whole conversation is printed, with or without its notes", async ({ page, context }) => {
  await page.goto(`/inbox/${conversation.id}?status=open`);
  await page.getByText("For us alone").first().waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Search, or type a command" }).fill("print");
  const first = page.getByRole("option").first();
  await until("it is the first", async () => /^Print/.test(await first.innerText()));
  const opened = context.waitForEvent("page");
  await page.keyboard.press("Enter");
  const paper = await opened;
  await paper.getByText("151 messages").waitFor();
  assert.equal(new URL(paper.url()).pathname, `/print/${conversation.id}`);
  await paper.getByRole("heading", { level: 1, name: "Conversation with Paula Paper" }).waitFor();
  assert.equal(await paper.getByText("Line 1", { exact: true }).count(), 1);
  assert.equal(await paper.locator("strong", { hasText: "Bold" }).count(), 1);
  assert.equal(await paper.getByText("For us alone").count(), 0);
  await paper.getByRole("checkbox", { name: "Private notes" }).focus();
  await paper.keyboard.press("Space");
  await paper.getByText("For us alone").waitFor();
  for (const width of [390, 320]) {
    await paper.setViewportSize({ width, height: 800 });
    assert.equal(await paper.evaluate(() => document.documentElement.scrollWidth), width);
  }
  await paper.emulateMedia({ media: "print" });
  assert.equal(await paper.getByRole("button", { name: "Print" }).isVisible(), false);
  assert.ok((await paper.pdf({ format: "A4" })).length > 10_000);
  const height = await paper.evaluate(() => document.body.scrollHeight);
  assert.ok(height > 3000, `only ${height} pixels are printed`);
});
