// What customers did not find becomes an article.
import assert from "node:assert/strict";
import { openSuite, until } from "./start.mjs";

const { scene, server, desk, api } = await openSuite();

scene("a solved conversation becomes a draft without names and addresses, by keyboard", {}, async ({ page }) => {
  const { id: contactId } = await api.post("/v1/public/contacts", { name: "Tilda Quist", email: "tilda@quist.example" });
  const { id } = await api.post("/v1/public/conversations", { contactId });
  await api.post(`/v1/public/conversations/${id}/messages`, { role: "incoming", content: "Hello, can I pay in coins? Tilda" });
  await desk.post(`/v1/public/conversations/${id}/messages`, { content: "Dear Tilda,\nno, but cards are fine, Tilda. Mail tilda@quist.example" });
  await page.goto(`/inbox/${id}?status=open`);
  await page.getByRole("log").getByText("cards are fine").waitFor();
  await page.keyboard.press("Shift+A");
  const dialog = page.getByRole("dialog");
  assert.equal(await dialog.getByLabel("Title").inputValue(), "can I pay in coins?");
  await dialog.getByRole("button", { name: "Create article" }).click();
  await page.waitForURL(/\/articles\/[0-9a-f-]{36}/);
  const body = page.getByRole("textbox", { name: "Text in Markdown" });
  await until("the text", async () => (await body.inputValue()) === "no, but cards are fine, …. Mail …");
  // It leads back to the conversation, and the conversation to it.
  await page.getByRole("tab", { name: "Details" }).click();
  await page.getByRole("link", { name: "A conversation" }).click();
  await page.waitForURL((url) => url.pathname === `/inbox/${id}`);
  await page.getByRole("region", { name: "Drafted from this conversation" }).getByRole("link", { name: "can I pay in coins?" }).waitFor();
});

scene("a question without an answer is listed, written as a draft, and gone; another is dismissed", { allow: [/request: http:\/\/127/] }, async ({ page }) => {
  const [inbox] = (await desk.get("/v1/dashboard/state")).inboxes.filter(({ channelType }) => channelType === "web");
  // A question counts when its asker asks about something else.
  for (const text of ["Do you gift wrap helicopters, ann@acme.example?", "Can I hire a submarine for a wedding?", "Where are penguins sold by weight?"]) {
    const asked = await fetch(`${server.origin}/v1/widget/inboxes/${inbox.id}/suggestions`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ text, language: "en" }),
    });
    assert.deepEqual(await asked.json(), { data: [] }, text);
  }
  assert.equal((await desk.get("/v1/dashboard/knowledge-gaps")).data.length, 2, "who reads the gaps reads what was counted until now");
  await page.goto("/articles");
  await page.getByRole("link", { name: "Gaps" }).click();
  const list = page.getByRole("list", { name: "Gaps" });
  const row = list.getByRole("listitem").filter({ hasText: "gift wrap helicopters" });
  await row.waitFor();
  assert.equal(await list.getByText("ann@acme").count(), 0, "addresses are struck");
  await list.getByRole("button", { name: /^Dismiss .*submarine/ }).click();
  await list.getByText("submarine").waitFor({ state: "detached" });
  await row.getByRole("button", { name: /^Write the missing article/ }).click();
  const dialog = page.getByRole("dialog");
  assert.match(await dialog.getByLabel("Title").inputValue(), /^Do you gift wrap helicopters/);
  await dialog.getByRole("button", { name: "Create article" }).click();
  await page.waitForURL(/\/articles\/[0-9a-f-]{36}/);
  const [, id] = /\/articles\/([0-9a-f-]{36})/.exec(page.url());
  const article = await api.get(`/v1/public/articles/${id}`);
  assert.equal(article.state, "draft");
  await page.goto("/articles/gaps");
  await page.getByText("No gaps").waitFor();
});
