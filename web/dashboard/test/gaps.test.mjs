// What customers did not find becomes an article.
import assert from "node:assert/strict";
import { openSuite, until } from "./start.mjs";

const { scene, server, desk, api } = await openSuite();

scene("a question without an answer is listed, written as a draft, and gone; another is dismissed", { allow: [/request: http:\/\/127/] }, async ({ page }) => {
  const [inbox] = (await desk.get("/v1/dashboard/state")).inboxes.filter(({ channelType }) => channelType === "web");
  for (const text of ["Do you gift wrap helicopters, ann@acme.example?", "Can I hire a submarine for a wedding?"]) {
    const asked = await fetch(`${server.origin}/v1/widget/inboxes/${inbox.id}/suggestions`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ text, language: "en" }),
    });
    assert.deepEqual(await asked.json(), { data: [] }, text);
  }
  await until("the questions to be stored", async () => (await desk.get("/v1/dashboard/knowledge-gaps")).data.length === 2, 150_000);
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
