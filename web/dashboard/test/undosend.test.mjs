// A reply is held as long as the member chose, and until then comes back to the composer: by z, by the notification, at
// the message itself, and from the next conversation.
import assert from "node:assert/strict";
import { openSuite, until } from "./start.mjs";
import { open, reply, row, sent, talk } from "./sending.mjs";

const { scene, api } = await openSuite();
const notes = (page) => page.getByRole("region", { name: "Notifications" });
const choose = async (page, label) => {
  await page.goto("/settings/profile");
  await page.getByLabel("Undo a reply").selectOption({ label });
};
const send = async (page, text, keys = "Control+Enter") => {
  await reply(page).fill(text);
  await reply(page).press(keys);
};

scene("z brings a held reply back, and Send now does not wait", async ({ page }) => {
  const customer = await talk(api, "Hedda Hold");
  await choose(page, "Within 20 seconds");
  await open(page, customer);
  await send(page, "too eraly", "Control+Shift+Enter");
  await notes(page).getByText("Reply · Hedda Hold").waitFor();
  assert.equal(await reply(page).inputValue(), "");
  await page.keyboard.press("Escape");
  await page.keyboard.press("z");
  await until("the words are back", async () => (await reply(page).inputValue()) === "too eraly");
  assert.equal(await customer.count("too eraly"), 0);
  assert.equal((await api.get(customer.path)).status, "open");

  await send(page, "not too early");
  const waiting = page.getByRole("article", { name: "Message on its way" });
  await waiting.getByText("Goes in a few seconds").waitFor();
  await waiting.getByRole("button", { name: "Send now" }).click();
  await sent(page, "not too early").waitFor();
  assert.equal(await customer.count("not too early"), 1);
});

scene("a reply is undone from the next conversation, and opens its own again", async ({ page }) => {
  const [first, second] = [await talk(api, "Ida First"), await talk(api, "Jon Second")];
  await choose(page, "Within 10 seconds");
  await open(page, first);
  await send(page, "for Ida");
  await row(page, second).click();
  await page.getByRole("article").getByText("a question of Jon Second").waitFor();
  await notes(page).getByRole("button", { name: "Undo" }).click();
  await until("back at the first", async () => page.url().includes(first.id));
  await until("the words are back", async () => (await reply(page).inputValue()) === "for Ida");
  assert.equal(await first.count("for Ida"), 0);
});

scene("a held reply goes by itself, also behind a reload, and on a phone it can be undone", { allow: [/Blocked attempt to show a .beforeunload. confirmation/] }, async ({ page, context }) => {
  const customer = await talk(api, "Kim Reload");
  await choose(page, "Within 5 seconds");
  await open(page, customer);
  await send(page, "in five seconds");
  await notes(page).getByText("Reply · Kim Reload").waitFor();
  await page.reload();
  await until("it went", async () => (await customer.count("in five seconds")) === 1);
  await page.setViewportSize({ width: 375, height: 812 });
  await open(page, customer);
  await send(page, "from a phone");
  await page.getByRole("article", { name: "Message on its way" }).getByRole("button", { name: "Undo" }).click();
  await until("the words are back", async () => (await reply(page).inputValue()) === "from a phone");
  assert.equal(await customer.count("from a phone"), 0);
  assert.equal(context.pages().length, 1);
});
