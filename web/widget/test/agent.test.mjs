// The automated agent: what a visitor gets from it without a model, the way to a
// person, and what members see and can do.
import assert from "node:assert/strict";
import { openSuite, until } from "../../dashboard/test/start.mjs";
import { messages, openChat, write } from "./shop.mjs";

const { scene, api, desk } = await openSuite();

async function enable() {
  const { inboxes } = await desk.get("/v1/dashboard/state");
  const { productId } = inboxes.find(({ channelType }) => channelType === "web");
  await desk.patch(`/v1/dashboard/products/${productId}/agent`, { mode: "cards" });
}

async function ask(visit, text) {
  const shop = await (await visit({ locale: "en-GB" })).newPage();
  await shop.goto("/shop?as=visitor");
  const chat = await openChat(shop);
  await write(chat, text);
  return { shop, chat };
}

const newest = async () => (await api.get("/v1/public/conversations?limit=1")).data[0];

scene("a visitor gets articles, says that they helped, and then asks for a person", {}, async ({ page: board, visit }) => {
  await enable();
  const { chat } = await ask(visit, "How do I send back a parcel?");
  const person = chat.getByRole("button", { name: "Talk to a person" });
  await person.waitFor();
  const answer = messages(chat).filter({ hasText: "From our articles:" });
  await answer.waitFor();
  const links = answer.getByRole("link");
  assert.ok((await links.count()) >= 1, "the answer names articles");
  assert.match(await links.first().getAttribute("href"), /^\/help\//);
  await answer.getByRole("button", { name: "This helped" }).click();
  await answer.getByText("Thank you.").waitFor();
  const { id } = await newest();
  await until("the conversation is pending", async () => (await api.get(`/v1/public/conversations/${id}`)).status === "pending");
  await person.click();
  await chat.getByText("A person of our team will answer here.").waitFor();
  assert.equal(await person.count(), 0);
  const { status, agent, assignee, waitingSince } = await newest();
  assert.deepEqual({ status, agent, assignee }, { status: "open", agent: { state: "handed_over", reason: "asked" }, assignee: null });
  assert.equal(waitingSince, null, "the articles were an answer");
  await board.goto("/inbox?agent=handed_over");
  await board
    .getByRole("link", { name: /Visitor/ })
    .first()
    .click();
  await board.getByRole("log", { name: "Messages" }).getByText("Handed over by the automated agent: The customer asks for a person.").waitFor();
  await board.getByText("The automated agent handed this over to a person.").waitFor();
});

scene("a member takes a conversation over from the agent", {}, async ({ page: board, visit }) => {
  await enable();
  const { chat } = await ask(visit, "Where can I find my invoice?");
  await messages(chat).filter({ hasText: "my invoice" }).filter({ hasText: /\d:\d/ }).waitFor();
  const { id } = await newest();
  await board.goto(`/inbox/${id}`);
  await board.getByRole("button", { name: "Take over" }).click();
  await board.getByRole("button", { name: "Take over" }).waitFor({ state: "detached" });
  await until("the agent is off", async () => (await api.get(`/v1/public/conversations/${id}`)).agent.state === "off");
  await chat.getByRole("button", { name: "Talk to a person" }).waitFor({ state: "detached" });
});
