// Articles in the chat: what a customer finds before writing, and what the
// company learns from it.
import assert from "node:assert/strict";
import { openSuite, until } from "../../dashboard/test/start.mjs";
import { messages, openChat } from "./shop.mjs";

const { scene, api, desk } = await openSuite();
const list = (chat) => chat.getByRole("list").getByRole("button");

scene("a visitor searches, reads, follows a link and goes back, by keyboard, in German, without a session", {}, async ({ visit }) => {
  const context = await visit();
  const shop = await context.newPage();
  const requests = [];
  shop.on("request", (request) => requests.push(`${request.method()} ${new URL(request.url()).pathname}`));
  await shop.goto("/shop?as=visitor");
  await shop.evaluate(() => window.Parley("language", "de"));
  await shop.getByRole("button", { name: / öffnen$/ }).click();
  const chat = shop.frameLocator("iframe");
  await chat.getByRole("heading", { name: "Beliebte Artikel" }).waitFor();
  assert.equal(await list(chat).first().getAttribute("lang"), "de");
  await chat.getByRole("textbox", { name: "Hilfe suchen" }).focus();
  await shop.keyboard.type("Paket zurückschicken");
  await chat
    .getByRole("status")
    .filter({ hasText: /gefunden/ })
    .waitFor();
  const title = await list(chat).first().locator("strong").innerText();
  assert.match(title, /zurück/i);
  await shop.keyboard.press("Tab"); // clears the search
  await shop.keyboard.press("Tab");
  await shop.keyboard.press("Enter");
  await chat.getByRole("heading", { level: 1, name: title }).and(chat.locator(":focus")).waitFor();
  await chat.getByRole("button", { name: "Ja" }).click();
  await chat.getByText("Danke für Ihre Rückmeldung.").waitFor();
  const inside = chat.getByRole("region", { name: "Hilfe" }).getByRole("link").first();
  if ((await inside.count()) > 0 && (await inside.getAttribute("href")).startsWith("?article=")) {
    await inside.click();
    await chat.getByRole("heading", { level: 1 }).filter({ hasNotText: title }).waitFor();
    await chat.getByRole("button", { name: "Zurück", exact: true }).click();
    await chat.getByRole("heading", { level: 1, name: title }).waitFor();
  }
  await shop.reload(); // the article stays open
  await shop.evaluate(() => window.Parley("language", "de"));
  const again = shop.frameLocator("iframe");
  await again.getByRole("heading", { level: 1, name: title }).waitFor();
  await again.getByRole("button", { name: "Zurück", exact: true }).click();
  const search = again.getByRole("textbox", { name: "Hilfe suchen" });
  await search.fill("Hubschrauber");
  await again.getByText("Kein Artikel passt.").waitFor();
  await search.press("Escape");
  await again.getByRole("heading", { name: "Beliebte Artikel" }).waitFor();
  assert.deepEqual(
    requests.filter((line) => line.includes("sessions")),
    [],
    "reading needs no session",
  );
});

scene("suggestions come while the first message is typed, move nothing, and never delay sending", { allow: [/503/] }, async ({ visit }) => {
  const shop = await (await visit({ locale: "en-GB" })).newPage();
  await shop.goto("/shop?as=visitor");
  const chat = await openChat(shop);
  await chat.getByRole("button", { name: /^Write to us/ }).click();
  const field = chat.getByRole("textbox", { name: "Message" });
  const send = chat.getByRole("button", { name: "Send", exact: true });
  const before = await send.boundingBox();
  await field.fill("How do I send back a parcel?");
  const suggested = chat.getByRole("region", { name: "These may answer your question" });
  await suggested.waitFor();
  assert.deepEqual(await send.boundingBox(), before, "the button stays where it is");
  const count = await suggested.getByRole("listitem").count();
  assert.ok(count >= 1 && count <= 3, `${count} suggestions`);
  await chat
    .getByRole("status")
    .filter({ hasText: /may answer your question/ })
    .waitFor({ state: "attached" });
  // Reading one keeps what was typed.
  const title = await suggested.locator("strong").first().innerText();
  await suggested.getByRole("listitem").first().getByRole("button").click();
  await chat.getByRole("heading", { level: 1, name: title }).waitFor();
  await chat.getByRole("button", { name: "Back", exact: true }).click();
  assert.equal(await field.inputValue(), "How do I send back a parcel?");
  // A server that does not answer is not waited for.
  await shop.route("**/suggestions", () => undefined);
  await field.fill("How do I send back a parcel that nobody wanted?");
  await send.click();
  await messages(chat).filter({ hasText: "nobody wanted" }).filter({ hasText: /\d:\d/ }).waitFor();
  await suggested.waitFor({ state: "detached" });
  await field.fill("How do I send back a parcel, again?");
  assert.equal(await suggested.count(), 0, "only the first message has suggestions");
});

scene("articles that are taken back leave the chat", { allow: [/404/, /503/] }, async ({ visit }) => {
  const inboxes = (await desk.get("/v1/dashboard/state")).inboxes.filter(({ channelType }) => channelType === "web");
  const product = inboxes[0].productId ?? inboxes[0].product?.id;
  const { id } = await api.post("/v1/public/articles", { language: "en", title: "Borrow a canoe", productId: product });
  await api.post(`/v1/public/articles/${id}/publish`, {});
  const shop = await (await visit({ locale: "en-GB" })).newPage();
  await shop.goto("/shop?as=visitor");
  const chat = await openChat(shop);
  // A busy server answers with the articles of a moment ago, and builds the new index meanwhile.
  const finds = async () => {
    await chat.getByRole("textbox", { name: "Search for help" }).fill("canoe");
    await chat
      .getByRole("status")
      .filter({ hasText: /found|fits|not available/ })
      .waitFor();
    const found = (await list(chat).filter({ hasText: "Borrow a canoe" }).count()) > 0;
    if (!found) await chat.getByRole("textbox", { name: "Search for help" }).fill("");
    return found;
  };
  await until("the search to know it", finds);
  await api.patch(`/v1/public/articles/${id}`, { state: "archived" });
  await list(chat).filter({ hasText: "Borrow a canoe" }).click();
  await chat.getByText("This article is no longer available.").waitFor();
  await chat.getByRole("button", { name: "Back", exact: true }).click();
  await until("the search to forget it", async () => {
    await chat.getByRole("textbox", { name: "Search for help" }).fill(`canoe${" ".repeat(Math.floor(Math.random() * 9))}`);
    return (await list(chat).filter({ hasText: "Borrow a canoe" }).count()) === 0;
  });
});
