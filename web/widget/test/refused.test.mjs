// Refused identities, and what the developer of a shop reads in the console.
import assert from "node:assert/strict";
import { openSuite, until } from "../../dashboard/test/start.mjs";
import { consoleOf, identity, openChat, website, write, messages } from "./shop.mjs";

const { scene, server, desk, api } = await openSuite();
const { id: inbox } = await desk.post("/v1/dashboard/inboxes", { name: "Developers", channelType: "web" });
const key = await desk.post("/v1/dashboard/identity-keys", { kind: "secret" });
const strange = { kid: key.kid, secret: Buffer.alloc(32, 7).toString("base64url") };
const now = () => Math.floor(Date.now() / 1000);

const refusals = [
  { name: "a wrong signature", token: () => identity(strange, { sub: "forged" }), console: /names the key idk_\w+, HS256.*the signature is not/, reason: /signature/i },
  { name: "an expired token", token: () => identity(key, { sub: "late", iat: now() - 7200, exp: now() - 3600 }), console: /It expired at 2\d\d\d-/, reason: /expired/i },
  {
    name: "an unsigned token",
    token: () => `${Buffer.from('{"alg":"none"}').toString("base64url")}.${Buffer.from(JSON.stringify({ sub: "x", exp: now() + 60 })).toString("base64url")}.`,
    console: /names no algorithm/,
    reason: /./,
  },
];

for (const refusal of refusals) {
  scene(
    `${refusal.name} is refused: the console says what to look at, the dashboard why`,
    { allow: [/Parley: the identity was not accepted/, /401/, /request: http:\/\/127/] },
    async ({ visit, page }) => {
      const origin = await website({ server, inbox, token: refusal.token });
      const shop = await (await visit()).newPage();
      const lines = consoleOf(shop);
      await shop.goto(origin);
      const line = await until("a line of the console", () => lines.find((text) => text.startsWith("Parley: the identity was not accepted")));
      assert.match(line, refusal.console);
      assert.match(line, /Settings, Identity/);
      // The customer is a visitor, and can still write.
      const chat = await openChat(shop);
      await write(chat, `after ${refusal.name}`);
      await messages(chat).filter({ hasText: /\d:\d/ }).waitFor();
      const [{ contact }] = (await api.get("/v1/public/conversations?status=open&limit=1")).data;
      assert.equal((await api.get(`/v1/public/contacts/${contact.id}`)).identifier ?? "", "");
      await page.goto("/settings/identity");
      const row = page.getByRole("list", { name: "Refused identities" }).getByRole("listitem").first();
      await row.filter({ hasText: origin }).waitFor();
      assert.match(await row.locator("strong").innerText(), refusal.reason);
    },
  );
}

scene("if identities are required, a page without one has no button", { allow: [/request: http:\/\/127/] }, async ({ visit }) => {
  const { id } = await desk.post("/v1/dashboard/inboxes", { name: "Members only", channelType: "web" });
  await desk.patch(`/v1/dashboard/inboxes/${id}/widget`, { identity: "required" });
  const context = await visit();
  const shop = await context.newPage();
  let named = "";
  const origin = await website({ server, inbox: id, token: () => named });
  await shop.goto(origin);
  await shop.locator("[data-position]").waitFor({ state: "attached" }); // the frame has said how the button looks
  assert.equal(await shop.getByRole("button").count(), 0);
  named = identity(key, { sub: "member-1", name: "Mia" });
  await shop.reload();
  await shop.getByRole("button", { name: /^Open / }).waitFor();
});

scene(
  "a website that the inbox does not name may not show the chat, and its console says so",
  { allow: [/frame-ancestors|Framing|refused to (connect|display)|Parley: the chat may not be shown/i, /request: http:\/\/127/, /chrome-error/] },
  async ({ visit }) => {
    const { id } = await desk.post("/v1/dashboard/inboxes", { name: "Only ours", channelType: "web" });
    const ours = await website({ server, inbox: id });
    const foreign = await website({ server, inbox: id });
    await desk.patch(`/v1/dashboard/inboxes/${id}/widget`, { origins: [ours] });
    const shop = await (await visit()).newPage();
    await shop.goto(ours);
    const chat = await openChat(shop);
    await write(chat, "from our own website");
    await messages(chat).filter({ hasText: /\d:\d/ }).waitFor();

    const other = await (await visit()).newPage();
    const lines = consoleOf(other);
    await other.goto(foreign);
    const line = await until("a line of the console", () => lines.find((text) => text.startsWith("Parley:")));
    assert.match(line, new RegExp(`may not be shown on ${foreign}.*Settings, Inboxes, Widget`));
    assert.equal(await other.getByRole("button").count(), 0);
  },
);

scene("an invalid tag says what is wrong", { allow: [/Parley: /, /request: http:\/\/127/, /frame-ancestors/, /chrome-error/] }, async ({ visit }) => {
  for (const [wrong, said] of [
    ["", /the tag needs data-inbox/],
    ["nonsense", /there is no web inbox nonsense/],
    ["01934800-0000-7000-8000-000000000000", /there is no web inbox/],
  ]) {
    const shop = await (await visit()).newPage();
    const lines = consoleOf(shop);
    await shop.goto(await website({ server, inbox: wrong }));
    await until(`the console's line about "${wrong}"`, () => lines.some((text) => said.test(text)));
  }
});

scene("revoking a key ends the chats of its customers", { allow: [/Parley: /, /401/, /request: http:\/\/127/] }, async ({ visit }) => {
  const short = await desk.post("/v1/dashboard/identity-keys", { kind: "secret" });
  const shop = await (await visit()).newPage();
  await shop.goto(await website({ server, inbox, token: () => identity(short, { sub: "short", name: "Sho Rt" }) }));
  const chat = await openChat(shop);
  await write(chat, "as long as it lasts");
  await messages(chat).filter({ hasText: /\d:\d/ }).waitFor();
  const lines = consoleOf(shop);
  await desk.delete(`/v1/dashboard/identity-keys/${short.kid}`);
  await until("the console's line", () => lines.some((text) => /the session has ended/.test(text)), 5000);
  await chat.getByText("as long as it lasts").waitFor({ state: "detached" });
});
