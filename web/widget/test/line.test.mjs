// The connection breaks: nothing is lost, nothing is duplicated.
import assert from "node:assert/strict";
import { openSuite, until } from "../../dashboard/test/start.mjs";
import { messages, openChat, write } from "./shop.mjs";

const { scene, server, desk, api } = await openSuite();
const broken = [/ERR_INTERNET_DISCONNECTED|ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_NETWORK_CHANGED|ERR_INCOMPLETE_CHUNKED|ERR_EMPTY_RESPONSE|ERR_SOCKET/];
const texts = (chat) => messages(chat).locator("[dir=auto]").allInnerTexts();

async function begun(context, who, first) {
  const shop = await context.newPage();
  await shop.goto(`/shop?as=${who}`);
  const chat = await openChat(shop);
  await write(chat, first);
  await messages(chat).filter({ hasText: /\d:\d/ }).waitFor();
  const [{ id }] = (await api.get("/v1/public/conversations?status=open&limit=1")).data;
  return { shop, chat, id };
}

scene("offline for a while: the customer's messages wait, and the answers arrive", { allow: broken }, async ({ visit }) => {
  const context = await visit();
  const { chat, id } = await begun(context, "visitor", "before");
  await context.setOffline(true);
  await chat.getByText("You are offline.").waitFor();
  await write(chat, "first while away");
  await write(chat, "second while away");
  await chat.getByText("Waiting for the connection").first().waitFor();
  await desk.post(`/v1/public/conversations/${id}/messages`, { content: "answered meanwhile" });
  await context.setOffline(false);
  await until("everything", async () => (await texts(chat)).length === 4);
  await chat.getByText("Waiting for the connection").first().waitFor({ state: "detached" });
  await chat.getByText("You are offline.").waitFor({ state: "detached" });
  const said = (await api.get(`/v1/public/conversations/${id}`)).messages.data.map(({ content }) => content);
  assert.deepEqual(
    said.filter((text) => text.includes("away")),
    ["first while away", "second while away"],
  );
  assert.deepEqual([...(await texts(chat))].sort(), [...said].sort());
});

scene("the server dies and comes back while the customer writes", { allow: [...broken, /answer: 50/, /50[023]/] }, async ({ visit }) => {
  const { chat, id, shop } = await begun(await visit(), "mara", "before the crash");
  await server.crash();
  await write(chat, "into the void");
  await chat.getByText("Connecting …").waitFor();
  await server.start();
  await messages(chat).filter({ hasText: "into the void" }).filter({ hasText: /\d:\d/ }).waitFor();
  await desk.post(`/v1/public/conversations/${id}/messages`, { content: "after the crash" });
  await messages(chat).filter({ hasText: "after the crash" }).waitFor();
  assert.deepEqual(await texts(chat), ["before the crash", "into the void", "after the crash"]);
  await shop.reload();
  await messages(shop.frameLocator("iframe")).filter({ hasText: "after the crash" }).waitFor();
  assert.deepEqual(await texts(shop.frameLocator("iframe")), ["before the crash", "into the void", "after the crash"]);
});

scene("a lost answer of the server does not duplicate a message", { allow: broken }, async ({ visit }) => {
  const { chat, id, shop } = await begun(await visit(), "jonas", "begin");
  let lost = 0;
  await shop.route(/\/v1\/widget\/conversations\/[^/]+\/messages$/, async (route) => {
    if (lost++ > 1) return route.continue();
    await route.fetch(); // it takes effect
    await route.abort("connectionreset");
  });
  await write(chat, "only once");
  await until("the third try", () => lost > 2);
  await chat.getByText("Sending …").waitFor({ state: "detached" });
  assert.deepEqual(await texts(chat), ["begin", "only once"]);
  assert.equal((await api.get(`/v1/public/conversations/${id}`)).messages.data.filter(({ content }) => content === "only once").length, 1);
});

scene("two tabs show the same", {}, async ({ visit }) => {
  const context = await visit();
  const { chat, shop } = await begun(context, "visitor", "from the first tab");
  const second = await context.newPage();
  await second.goto("/shop?as=visitor");
  const other = await openChat(second);
  await other.getByRole("button", { name: /from the first tab/ }).click();
  await messages(other).filter({ hasText: "from the first tab" }).waitFor();
  await write(other, "from the second tab");
  await messages(other).filter({ hasText: "from the second tab" }).filter({ hasText: /\d:\d/ }).waitFor();
  await shop.bringToFront();
  await messages(chat).filter({ hasText: "from the second tab" }).waitFor();
});

scene("a draft and the open conversation survive a change of the page", {}, async ({ visit }) => {
  const { chat, shop } = await begun(await visit(), "visitor", "a question");
  await chat.getByRole("textbox", { name: "Message" }).fill("half a sen");
  await shop.reload();
  const again = shop.frameLocator("iframe");
  await messages(again).filter({ hasText: "a question" }).waitFor();
  assert.equal(await again.getByRole("textbox", { name: "Message" }).inputValue(), "half a sen");
});
