// Access: an admin limits an agent, who then sees the conversations of an inbox, and loses and gets others live.
import assert from "node:assert/strict";
import { openSuite, until } from "./start.mjs";

const { scene, api, desk, join } = await openSuite();

const conversationOf = async (name, inboxId) => {
  const contact = await api.post("/v1/public/contacts", { name });
  const made = await api.post("/v1/public/conversations", { contactId: contact.id, inboxId });
  await api.post(`/v1/public/conversations/${made.id}/messages`, { content: `Hello from ${name}`, role: "incoming" });
  return made.id;
};

scene("an agent sees the conversations of an inbox, and what is assigned", { allow: [/404/, /403/] }, async ({ page, visit }) => {
  const inbox = await desk.post("/v1/dashboard/inboxes", { name: "Night desk", channelType: "api" });
  const [shown, hidden] = [await conversationOf("Shown Person", inbox.id), await conversationOf("Hidden Person")];
  const token = await join({ email: "vera@parley.example", name: "Vera Night" });
  const vera = (await desk.get("/v1/dashboard/state")).members.find(({ name }) => name === "Vera Night");

  await page.goto("/settings/members");
  await page.getByRole("button", { name: /Vera Night/ }).click();
  await page.getByRole("menuitem", { name: "Choose conversations …" }).click();
  const form = page.getByRole("dialog", { name: "What Vera Night sees" });
  await form.getByRole("combobox", { name: "Sees" }).selectOption({ label: "Only some conversations" });
  await form.getByRole("checkbox", { name: "Night desk" }).check();
  await form.getByRole("button", { name: "Save", exact: true }).click();
  await form.waitFor({ state: "detached" });
  await page.getByText("Some conversations", { exact: true }).waitFor();
  const now = (await desk.get("/v1/dashboard/state")).members.find(({ id }) => id === vera.id);
  assert.deepEqual([now.access, now.inboxIds], ["own", [inbox.id]]);

  const hers = await (await visit({ token })).newPage();
  await hers.goto("/inbox?status=open");
  const rows = hers.locator("[data-row]");
  await rows.first().waitFor();
  assert.equal(await rows.count(), 1);
  await rows.first().getByText("Shown Person", { exact: true }).waitFor();

  await api.patch(`/v1/public/conversations/${hidden}`, { assigneeId: vera.id });
  await until("the assigned one is listed", async () => (await rows.count()) === 2);
  await hers.goto(`/inbox/${hidden}?status=open`);
  await hers.getByText("Hello from Hidden Person").first().waitFor();
  await api.patch(`/v1/public/conversations/${hidden}`, { assigneeId: null });
  await hers.getByText("This conversation is no longer among yours").waitFor();
  await until("it left the list", async () => (await rows.count()) === 1);
  await api.post(`/v1/public/conversations/${hidden}/messages`, { content: "quetzal", role: "incoming" });
  await api.post(`/v1/public/conversations/${shown}/messages`, { content: "Still there", role: "incoming" });
  await rows.first().getByText("Still there").waitFor();
  assert.equal(await hers.getByText("quetzal").count(), 0);

  await hers.goto("/reports");
  await hers.getByText("These are the figures of your inboxes.").waitFor();
  assert.equal(await hers.getByRole("tab").count(), 1);
  await hers.goto("/articles");
  await hers.getByRole("button", { name: "New article" }).waitFor();
  assert.equal(await hers.getByRole("link", { name: /gaps|questions/i }).count(), 0);

  await page.goto(`/inbox/${hidden}?status=open`);
  await page.getByRole("article").first().waitFor();
  await page.keyboard.press("n");
  await page.getByRole("textbox", { name: /note/i }).fill("@Vera Night, have a look");
  await page.getByText("Vera Night does not see this conversation, and is not told.").waitFor();

  await desk.patch(`/v1/dashboard/members/${vera.id}`, { access: "all" });
  await hers.goto("/inbox?status=open");
  await until("she sees all again", async () => (await rows.count()) > 1);
});
