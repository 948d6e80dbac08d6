// The automated agent: what a visitor gets from it without a model and by the
// demo's toy, the way to a person, and what members see and can do.
import assert from "node:assert/strict";
import { openSuite, until } from "../../dashboard/test/start.mjs";
import { messages, openChat, write } from "./shop.mjs";

const { scene, api, desk } = await openSuite();

async function enable(mode = "cards") {
  const { inboxes } = await desk.get("/v1/dashboard/state");
  const { productId } = inboxes.find(({ channelType }) => channelType === "web");
  await desk.patch(`/v1/dashboard/products/${productId}/agent`, { mode });
}

/** Enters the toy model as a new demo has it. */
async function enterToy() {
  const { id } = await desk.post("/v1/dashboard/model-providers", { name: "Toy model", baseUrl: "http://toy.invalid/v1", model: "toy-quoting" });
  const { problem, toy } = await desk.post(`/v1/dashboard/model-providers/${id}/test`);
  assert.deepEqual({ problem, toy }, { problem: null, toy: true });
  await enable("answer");
}

async function ask(visit, text, visitor = { locale: "en-GB" }) {
  const shop = await (await visit(visitor)).newPage();
  await shop.goto("/shop?as=visitor");
  const chat = await openChat(shop);
  await watchWriting(shop);
  await write(chat, text);
  return { shop, chat };
}

const frameOf = (shop) => shop.frames().find((frame) => frame !== shop.mainFrame());

/** Collects what the page shows of answers that are being written; `written` returns it. */
const watchWriting = (shop) =>
  frameOf(shop).evaluate(() => {
    window.written = [];
    new MutationObserver(() => {
      const bubble = document.querySelector("article[aria-busy=true] .bubble");
      if (bubble && bubble.textContent !== window.written.at(-1)) window.written.push(bubble.textContent);
    }).observe(document.body, { childList: true, subtree: true, characterData: true });
  });
const written = (shop) => frameOf(shop).evaluate(() => window.written);

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
  await board.locator(`[data-row="${id}"]`).click();
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

scene("the demo's toy answers sentence by sentence, its message replaces them, and what it cannot answer reaches the team", {}, async ({ page: board, visit }) => {
  await enterToy();
  const english = await ask(visit, "How do I send something back?");
  const german = await ask(visit, "Wie schicke ich etwas zurück?", { locale: "de-DE" });
  for (const { shop, chat, sentences, title, path } of [
    {
      ...english,
      sentences: ["You can return articles within 30 days of receiving them.", "They must be unused and still have their tags."],
      title: "Return an article",
      path: "/help/northwind-shop/en/return-a-parcel",
    },
    {
      ...german,
      sentences: ["Sie können Artikel innerhalb von 30 Tagen nach Erhalt zurücksenden.", "Sie müssen unbenutzt sein und noch alle Etiketten tragen."],
      title: "Artikel zurücksenden",
      path: "/help/northwind-shop/de/return-a-parcel",
    },
  ]) {
    const answer = messages(chat).filter({ hasText: sentences.join(" ") });
    await answer.getByRole("link", { name: title }).waitFor();
    assert.equal(await answer.getByRole("link").getAttribute("href"), path);
    const shown = await written(shop);
    assert.equal(shown[0]?.trim(), sentences[0], "the first sentence is shown before the second has arrived");
    assert.ok(
      shown.every((text) => sentences.join(" ").startsWith(text.trim())),
      `it showed ${shown}`,
    );
    assert.equal(await messages(chat).count(), 2, "the message replaces the sentences");
  }
  // What has no article, and who wants a person, is handed over at once.
  const nonsense = await ask(visit, "What is the capital of France?");
  const human = await ask(visit, "Ich möchte mit einem Menschen sprechen", { locale: "de-DE" });
  for (const [{ chat }, says] of [
    [nonsense, "I am passing your question on to a person on our team, who will reply here."],
    [human, "Ich gebe Ihre Frage an einen Menschen aus unserem Team weiter, der hier antwortet."],
  ]) {
    await messages(chat).filter({ hasText: says }).waitFor();
    await chat.getByText("A person of our team will answer here.").waitFor();
  }
  // The list shows both, also alone.
  await board.goto("/inbox");
  const handedOver = board.getByRole("link", { name: /Handed over by the automated agent: The customer asks for a person/ });
  const unanswered = board.getByRole("link", { name: /Handed over by the automated agent: No published article is likely to answer/ });
  const answered = board.getByRole("link", { name: /You can return articles within 30 days/ });
  for (const row of [handedOver, unanswered, answered]) await row.first().waitFor();
  await board.goto("/inbox?agent=handed_over");
  await handedOver.first().waitFor();
  assert.equal(await answered.count(), 0, "an answered one is not handed over");
  await unanswered.first().click();
  const log = board.getByRole("log", { name: "Messages" });
  await log.getByText("Last message: What is the capital of France?").waitFor();
  await board.getByText("The automated agent handed this over to a person.").waitFor();
  // The settings say what answers here.
  await board.goto("/settings/models");
  const row = board.getByRole("list", { name: "Providers" }).getByRole("listitem");
  await row.getByText("Toy", { exact: true }).waitFor();
  await row.getByText(/only quotes sentences of your articles/).waitFor();
  await board.getByRole("button", { name: "Edit the agent of Northwind Shop" }).click();
  await board
    .getByRole("dialog")
    .getByText(/toy model, which only quotes/)
    .waitFor();
});
