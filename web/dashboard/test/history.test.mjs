// What happened to a conversation, as quiet lines between its messages.
import assert from "node:assert/strict";
import { as, client, openSuite, until } from "./start.mjs";

const { scene, api, desk, join, server } = await openSuite();
const xenia = client(server.origin, as(await join({ email: "xenia@example.org", name: "Xenia Colleague" })));
const lines = (page) => page.locator("[data-line]");

scene("lines stand where they happened, are live, fold, and can be hidden", async ({ page }) => {
  const contact = await api.post("/v1/public/contacts", { name: "Hilde History" });
  const { id } = await api.post("/v1/public/conversations", { contactId: contact.id });
  const path = `/v1/public/conversations/${id}`;
  await api.post(`${path}/messages`, { content: "a first question", role: "incoming" });
  await xenia.patch(path, { priority: "high" });
  await xenia.patch(path, { labels: ["refund"] });
  await api.post(`${path}/messages`, { content: "a second question", role: "incoming" });
  await page.goto(`/inbox/${id}`);
  const folded = "Xenia Colleague set the priority to high, labelled refund";
  await lines(page).getByText(folded).waitFor();
  const order = await page.getByRole("log").innerText();
  assert.ok(order.indexOf("a first question") < order.indexOf(folded) && order.indexOf(folded) < order.indexOf("a second question"), order);

  const me = (await desk.get("/v1/dashboard/session")).member.name;
  await page.keyboard.press("i");
  await lines(page).getByText(`${me} took it`).waitFor();
  await xenia.patch(path, { status: "pending" });
  await lines(page).getByText("Xenia Colleague set it to pending").waitFor();
  const shown = await lines(page).allInnerTexts();

  await page.keyboard.press("Shift+H");
  await until("the lines are hidden", async () => (await lines(page).count()) === 0);
  await page.reload();
  await page.getByRole("article").getByText("a second question").waitFor();
  assert.equal(await lines(page).count(), 0, "the choice outlives the page");
  await page.keyboard.press("Shift+H");
  await until("the same lines are back", async () => JSON.stringify(await lines(page).allInnerTexts()) === JSON.stringify(shown));
});
