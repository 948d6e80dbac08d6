// Messages that are made to break a page, and answers that no page expects: the
// conversation can still be read and answered.
import assert from "node:assert/strict";
import { openSuite, until } from "./start.mjs";

const { scene, api } = await openSuite();

async function conversation(name) {
  const contact = await api.post("/v1/public/contacts", { name, identifier: `hostile-${name}` });
  const made = await api.post("/v1/public/conversations", { contactId: contact.id });
  const write = (content) => api.post(`/v1/public/conversations/${made.id}/messages`, { content, role: "incoming" });
  return { contact, id: made.id, write };
}

async function answer(page, text) {
  await page.keyboard.press("r");
  await page.getByRole("textbox", { name: "Reply" }).fill(text);
  await page.keyboard.press("Control+Enter");
  await page.getByRole("article").filter({ hasText: text }).waitFor();
}

scene("texts that are expensive for patterns are read and answered", async ({ page }) => {
  const { id, write } = await conversation("Brackets");
  await write(`http://a${")".repeat(65_528)}`);
  for (let n = 0; n < 3; n++) await write("a.".repeat(32_768));
  await write(`${"(".repeat(30_000)} ${"@a.b".repeat(8_000)}`);
  await write("Can you read this?");
  await page.goto(`/inbox/${id}`);
  await page.getByRole("article").filter({ hasText: "Can you read this?" }).waitFor();
  assert.equal(await page.getByText("Something went wrong").count(), 0);
  for (let folded = 5; folded > 0; folded--) {
    const more = page.getByRole("button", { name: /Show all/ });
    assert.equal(await more.count(), folded);
    await more.first().click();
  }
  const lengths = await page.getByRole("article").evaluateAll((all) => all.map((article) => article.textContent.length));
  assert.ok(lengths.filter((length) => length > 60_000).length >= 5, `the texts are shown as they are: ${lengths}`);
  await answer(page, "Yes, every word.");
  await until("the answer is kept", async () => JSON.stringify(await api.get(`/v1/public/conversations/${id}`)).includes("Yes, every word."));
});

scene("an item that cannot be rendered is plain text, and the page stays", { allow: [/TypeError|Cannot read|null|boundary/i] }, async ({ page }) => {
  const broken = await conversation("Broken");
  const row = await conversation("Rowless");
  await row.write("behind a row that cannot be drawn");
  const odd = await broken.write("drawn plainly");
  await broken.write("drawn as ever");
  const spoil = (value) => {
    if (Array.isArray(value)) return value.forEach(spoil);
    if (value === null || typeof value !== "object") return;
    if (value.id === odd.id) value.attachments = null;
    if (value.id === broken.contact.id && "customAttributes" in value) value.customAttributes = null;
    if (value.id === row.id && "labels" in value) value.labels = null;
    Object.values(value).forEach(spoil);
  };
  await page.route(/\/v1\/public\/(conversations|contacts)/, async (route) => {
    if (route.request().method() !== "GET") return route.continue();
    const response = await route.fetch();
    const json = await response.json();
    spoil(json);
    await route.fulfill({ response, json });
  });
  await page.goto(`/inbox/${broken.id}`);
  await page.getByRole("article", { name: "Message as plain text" }).filter({ hasText: "drawn plainly" }).waitFor();
  await page
    .getByRole("article", { name: /Message from/ })
    .filter({ hasText: "drawn as ever" })
    .waitFor();
  await page.getByText("This part cannot be shown.").waitFor();
  await page.locator(`[data-row="${row.id}"]`).getByText("Rowless").waitFor();
  await answer(page, "Still here.");
});
