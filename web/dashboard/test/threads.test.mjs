// Linked conversations: made by the keyboard, seen from both ends, ended by a button.
import assert from "node:assert/strict";
import { openSuite, until } from "./start.mjs";

const { scene, api } = await openSuite();

scene("a conversation is linked to another one by the keyboard, and unlinked", {}, async ({ page }) => {
  const { data } = await api.get("/v1/public/conversations?limit=20&status=open");
  const [one, other] = data.filter((each) => each.contact.name !== "Visitor");
  await api.post(`/v1/public/conversations/${other.id}/messages`, { content: "Zanzibarlink", isPrivate: true });
  await page.goto(`/inbox/${one.id}`);
  await page.getByRole("log", { name: "Messages" }).waitFor();
  await page.keyboard.press("Shift+l");
  const dialog = page.getByRole("dialog", { name: "Link to a conversation" });
  await dialog.getByRole("combobox").fill("zanzibarlink");
  await dialog.getByRole("option", { name: other.contact.name }).waitFor();
  await page.keyboard.press("Enter");
  const links = page.getByRole("region", { name: "Linked conversations" });
  await links.getByRole("link", { name: other.contact.name }).click();
  await page.waitForURL(`**/inbox/${other.id}`);
  await links.getByRole("link", { name: one.contact.name }).waitFor();
  await links.getByRole("button", { name: `Unlink the conversation with ${one.contact.name}` }).click();
  await until("nothing is linked", async () => (await links.count()) === 0);
  assert.equal((await api.get(`/v1/public/conversations/${one.id}`)).mergedInto, null);
});
