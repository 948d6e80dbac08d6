// Messages that are sent later.
import assert from "node:assert/strict";
import { openSuite, until } from "./start.mjs";

const { scene, api, desk } = await openSuite();

async function openConversation(page) {
  const [contact] = (await api.get("/v1/public/contacts?limit=1")).data;
  const { id } = await api.post("/v1/public/conversations", { contactId: contact.id });
  await page.goto(`/inbox/${id}?status=open`);
  await page.getByRole("textbox", { name: "Reply" }).waitFor();
  return id;
}

const scheduled = (id) => desk.get(`/v1/dashboard/conversations/${id}/scheduled`).then(({ data }) => data);
const sent = (id) => api.get(`/v1/public/conversations/${id}/messages`).then(({ data }) => data.map(({ content }) => content));

scene("Mod+Shift+s and a time schedule a message, which can be edited, moved, sent and cancelled", async ({ page }) => {
  const id = await openConversation(page);
  const dialog = page.getByRole("dialog", { name: "Send at" });
  const field = page.getByRole("textbox", { name: "Reply" });
  const list = page.getByRole("list", { name: "Scheduled messages" });
  await page.keyboard.press("r");
  await page.keyboard.type("Good morning");
  await page.keyboard.press("Control+Shift+s");
  await dialog.getByRole("checkbox", { name: "Hold it if the customer writes first" }).waitFor();
  await until("the field has the focus", () => page.evaluate(() => document.activeElement?.tagName === "INPUT"));
  await page.keyboard.type("3d 9");
  await page.keyboard.press("Enter");
  await list.getByText("Good morning").waitFor();
  await list.getByText(/sends this/).waitFor();
  assert.equal(await field.inputValue(), "");
  const [first] = await scheduled(id);
  assert.equal(first.ifQuiet, true);

  await list.getByRole("button", { name: "Edit" }).click();
  await until("the text is back", async () => (await field.inputValue()) === "Good morning");
  await list.waitFor({ state: "hidden" });
  await field.press("End");
  await page.keyboard.type("!");
  await page.getByRole("button", { name: "Send later" }).click();
  await dialog.getByRole("button", { name: /^Tomorrow/ }).click();
  await list.getByText("Good morning!").waitFor();
  const [second] = await scheduled(id);

  await list.getByRole("button", { name: "Other time" }).click();
  await dialog.getByRole("textbox").fill("5d");
  await page.keyboard.press("Enter");
  await until("it moved", async () => (await scheduled(id))[0].sendAt > second.sendAt);

  await list.getByRole("button", { name: "Cancel" }).click();
  await list.waitFor({ state: "hidden" });
  await page.getByRole("button", { name: "Undo" }).click();
  await list.getByRole("button", { name: "Send now" }).click();
  await page.getByRole("article").getByText("Good morning!").waitFor();
  await list.waitFor({ state: "hidden" });
  assert.deepEqual([await sent(id), await scheduled(id)], [["Good morning!"], []]);
});

scene("what others schedule shows at once, and fits a small phone", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 600 });
  const id = await openConversation(page);
  const list = page.getByRole("list", { name: "Scheduled messages" });
  const body = { content: "A long text that takes more than the width of a small phone in one line", sendAt: new Date(Date.now() + 3_600_000).toISOString() };
  const made = await desk.post(`/v1/dashboard/conversations/${id}/scheduled`, body);
  await list.getByText(body.content).waitFor();
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= 320));
  await desk.delete(`/v1/dashboard/scheduled/${made.id}`);
  await list.waitFor({ state: "hidden" });
});
