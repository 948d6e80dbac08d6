// A widget that asks its visitors who they are, before or after the first message.
import assert from "node:assert/strict";
import { openSuite, until } from "../../dashboard/test/start.mjs";
import { openChat, write } from "./shop.mjs";

const { scene, api, desk } = await openSuite();
const inbox = (await api.get("/v1/public/inboxes")).data.find(({ channelType }) => channelType === "web").id;
const newest = async () => (await api.get("/v1/public/conversations?limit=1")).data[0];
const narrow = { viewport: { width: 320, height: 640 } };

scene("a visitor says who they are before the first message, by the keyboard at 320 pixels, and members see it", {}, async ({ page: board, visit }) => {
  await board.goto(`/settings/inboxes/${inbox}/widget`);
  await board.getByRole("combobox", { name: "Ask", exact: true }).selectOption({ label: "Before the first message" });
  await board.getByRole("checkbox", { name: "Visitors must answer" }).check();
  await board.getByRole("button", { name: "Save", exact: true }).press("Enter");
  await until("it is stored", async () => (await desk.get(`/v1/dashboard/inboxes/${inbox}/widget`)).askRequired);

  const before = (await newest())?.id;
  const shop = await (await visit(narrow)).newPage();
  await shop.goto("/shop?as=visitor");
  const chat = await openChat(shop);
  await chat.getByRole("button", { name: /Write to us/ }).press("Enter");
  const form = chat.getByRole("form", { name: "Who are you?" });
  await form.getByLabel("Your name").fill("Nora <b>Norder</b>");
  assert.equal(await chat.getByRole("textbox", { name: "Message" }).count(), 0, "nobody writes before the answer");
  await form.getByLabel("Your name").press("Tab");
  await shop.keyboard.type("nora@example.org");
  await shop.keyboard.press("Enter");
  await form.waitFor({ state: "detached" });
  await write(chat, "Do you ship to Norway?");
  const { id, contact } = await until("the conversation is there", async () => {
    const found = await newest();
    return found?.id !== before && found;
  });
  assert.equal(contact.name, "Nora <b>Norder</b>");
  assert.equal(contact.email, "");
  await board.goto(`/inbox/${id}`);
  const typed = board.getByRole("region", { name: "Typed by the visitor" });
  await typed.getByText("nora@example.org").waitFor();
  await typed.getByText("Not confirmed: anybody can type any address").waitFor();
});

scene("a visitor who is asked after the first message may decline, and is not asked again", {}, async ({ visit }) => {
  await desk.patch(`/v1/dashboard/inboxes/${inbox}/widget`, { ask: "after", askFields: ["email"], askRequired: false });
  const shop = await (await visit(narrow)).newPage();
  await shop.goto("/shop?as=visitor");
  const chat = await openChat(shop);
  const form = chat.getByRole("form", { name: "Who are you?" });
  assert.equal(await form.count(), 0);
  await write(chat, "Is this tent waterproof?");
  await form.getByLabel("Your e-mail address").waitFor();
  assert.equal(await form.getByLabel("Your name").count(), 0);
  await form.getByRole("button", { name: "Not now" }).press("Enter");
  await form.waitFor({ state: "detached" });
  await shop.reload();
  const again = await openChat(shop);
  await again.getByText("Is this tent waterproof?").first().waitFor();
  assert.equal(await again.getByRole("form", { name: "Who are you?" }).count(), 0);
});
