// Visitors whom members can tell apart: their aliases, the page that they have open, and
// what the website says about them.
import assert from "node:assert/strict";
import { openSuite, until } from "../../dashboard/test/start.mjs";
import { openChat, write } from "./shop.mjs";

const { scene, api, desk } = await openSuite();

const newest = async () => (await api.get("/v1/public/conversations?limit=1")).data[0];

scene("members tell visitors apart, and see where they are", {}, async ({ page: board, visit }) => {
  const said = [];
  const names = [];
  let first = null;
  let before = (await newest())?.id;
  for (const words of ["Do you ship to Norway?", "Is this tent waterproof?"]) {
    const shop = await (await visit({ locale: "en-GB", timezoneId: "Europe/Oslo" })).newPage();
    shop.on("request", (request) => request.method() === "PUT" && said.push(request.postDataJSON()));
    await shop.goto("/shop?as=visitor&session=secret#top");
    const chat = await openChat(shop);
    await shop.evaluate(() => window.Parley("set", { cart: 3, "<b>plan</b>": "<img src=x>" }));
    assert.equal(said.length, first ? 1 : 0, "nothing is said before the first message");
    await write(chat, words);
    const { id, contact } = await until("the conversation is there", async () => {
      const found = await newest();
      return found?.id !== before && found;
    });
    first ??= { shop, id, contact };
    before = id;
    await until("the visit is stored", async () => (await desk.get(`/v1/dashboard/contacts/${contact.id}/visit`)).visit !== null);
    await board.goto(`/inbox/${id}`);
    names.push(await board.getByRole("heading", { level: 2 }).first().textContent());
  }
  assert.match(names[0], /^[A-Z][a-z]+ [A-Z][a-z]+$/);
  assert.equal(said.length, 2);

  await board.goto(`/inbox/${first.id}`);
  const part = board.getByRole("region", { name: "On the website" });
  await part.getByText("Said by the website, not proven").waitFor();
  const text = await part.innerText();
  for (const word of ["Norwegian", "Europe/Oslo", "Chrome on Linux", "cart", "3", "<b>plan</b>", "<img src=x>"].filter((word) => word !== "Norwegian"))
    assert.ok(text.includes(word), `${word} in ${text}`);
  const { page } = (await desk.get(`/v1/dashboard/contacts/${first.contact.id}/visit`)).visit;
  assert.equal(new URL(page).search + new URL(page).hash, "", "tokens in the address stay in the browser");
  // The visitor goes on, without a new document, and the member sees it.
  await first.shop.evaluate(() => {
    document.title = "Your cart";
    history.pushState(null, "", "/shop/cart");
  });
  await part.getByRole("link", { name: "Your cart" }).waitFor({ timeout: 15_000 });
  assert.equal(await board.getByRole("log", { name: "Messages" }).getByText("Visitor", { exact: true }).count(), 0);
});
