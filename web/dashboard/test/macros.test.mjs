// Macros: made in the settings, picked by the keyboard, run in one step.
import assert from "node:assert/strict";
import { openSuite, until } from "./start.mjs";

const { scene, api } = await openSuite();

scene("a macro answers, labels and closes, by the keyboard", {}, async ({ page }) => {
  await page.goto("/settings/macros");
  await page.getByRole("button", { name: "New macro" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Refund and close");
  await page.getByLabel("Reply", { exact: true }).fill("Dear {{contact.name}}, <b>done</b>. {{me.name}}");
  await page.getByLabel("Status", { exact: true }).selectOption("resolved");
  await page.getByLabel("Add labels").fill("refund, done");
  await page.getByRole("button", { name: "Create macro" }).click();
  await page.getByText("Refund and close").waitFor();

  const { data } = await api.get("/v1/public/conversations?limit=20&status=open");
  const { id, contact } = data.find((one) => one.contact.name !== "Visitor" && one.inbox.channelType !== "chatapp");
  await page.goto(`/inbox/${id}`);
  await page.getByRole("log", { name: "Messages" }).waitFor();
  await page.keyboard.press("m");
  const picker = page.getByRole("dialog", { name: "Run a macro" });
  await picker.getByRole("combobox").fill("refund");
  await picker.getByRole("region", { name: "What it does" }).getByText(`Dear ${contact.name}, <b>done</b>.`).waitFor();
  await page.keyboard.press("Enter");
  await until("it is resolved", async () => (await api.get(`/v1/public/conversations/${id}`)).status === "resolved");
  const { labels, messages } = await api.get(`/v1/public/conversations/${id}`);
  assert.ok(labels.includes("refund") && labels.includes("done"));
  assert.match(messages.data.at(-1).content, new RegExp(`^Dear ${contact.name}, <b>done</b>\\. `));
});
