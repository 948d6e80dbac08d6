// The dashboard's pages about the widget.
import assert from "node:assert/strict";
import { openSuite, until } from "../../dashboard/test/start.mjs";
import { consoleOf, identity, messages, openChat, website, write } from "./shop.mjs";

const { scene, server, desk, api } = await openSuite();
const [inbox] = (await desk.get("/v1/dashboard/state")).inboxes.filter(({ channelType }) => channelType === "web");

scene("the widget is set up with its preview, and the shop shows it", {}, async ({ page, visit }) => {
  await page.goto("/settings/inboxes");
  await page.getByRole("link", { name: `Widget of ${inbox.name}` }).click();
  await page.getByRole("heading", { level: 1, name: `${inbox.name} widget` }).waitFor();
  await page.getByLabel("Tag", { exact: true }).getByText(`<script src="${server.origin}/widget.js" data-inbox="${inbox.id}" async></script>`).waitFor();
  const preview = page.frameLocator("iframe");
  await preview.getByText("Hello! Ask us about kit").waitFor();
  const form = page.getByRole("form", { name: "The widget" });
  await form.getByLabel("Title").fill("Ask the outfitters");
  await form.getByLabel("Greeting").fill("What may it be?");
  await form.getByLabel("Colour", { exact: true }).fill("#8a1c4a");
  await preview.getByRole("heading", { name: "Ask the outfitters" }).waitFor();
  await preview.getByText("What may it be?").waitFor();
  await page.getByRole("radio", { name: "Left corner" }).check();
  await form.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Widget saved").waitFor();

  const shop = await (await visit()).newPage();
  await shop.goto("/shop?as=visitor");
  const button = shop.getByRole("button", { name: "Open Ask the outfitters" });
  await button.waitFor();
  assert.ok((await button.boundingBox()).x < 100, "in the left corner");
  assert.equal(await button.evaluate((element) => getComputedStyle(element).backgroundColor), "rgb(138, 28, 74)");
  const chat = await openChat(shop);
  await chat.getByText("What may it be?").waitFor();
});

scene("outside of the office hours the chat says when somebody is back, by the clock of the visitor", {}, async ({ page, visit }) => {
  await page.goto(`/settings/inboxes/${inbox.id}/widget`);
  await page.getByRole("link", { name: "Office hours" }).click();
  await page.getByLabel("Monday").fill("9-eleven");
  await page.getByRole("checkbox", { name: "Show in the chat when somebody is back" }).check();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText(/^Write times such as/).waitFor();
  for (const day of ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]) await page.getByLabel(day).fill("9–12, 12:00–17");
  await page.getByLabel("Time zone").selectOption("UTC");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Office hours saved").waitFor();
  const { hours } = await desk.get(`/v1/dashboard/inboxes/${inbox.id}/office-hours`);
  assert.deepEqual([hours.length, hours[0]], [7, "monday 09:00-17:00"]);

  // 1:00 in UTC is the evening before in New York, where the hours begin early in the morning.
  const night = new Date(Math.ceil(Date.now() / 86_400_000) * 86_400_000 + 3_600_000);
  const context = await visit({ locale: "en-US", timezoneId: "America/New_York" });
  await context.clock.setFixedTime(night);
  const shop = await context.newPage();
  await shop.goto("/shop?as=visitor");
  const chat = await openChat(shop);
  await chat.getByText(/^Back tomorrow at [45]:00\sAM$/).waitFor();
  await desk.patch(`/v1/dashboard/inboxes/${inbox.id}/office-hours`, { shown: false });
});

scene("customers who left get mail after as long as the owner chooses, by the keyboard at 320 pixels", { viewport: { width: 320, height: 640 } }, async ({ page }) => {
  await page.goto(`/settings/inboxes/${inbox.id}/widget`);
  const when = page.getByRole("combobox", { name: "Mail what a customer has missed" });
  await when.focus();
  await page.keyboard.type("30 min");
  await page.getByRole("button", { name: "Save", exact: true }).press("Enter");
  await until("it is stored", async () => (await desk.get(`/v1/dashboard/inboxes/${inbox.id}/widget`)).continueAfter === 30);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing is cut off");
});

scene("websites are lines of addresses; an invalid one is refused at its field", {}, async ({ page }) => {
  await page.goto(`/settings/inboxes/${inbox.id}/widget`);
  const form = page.getByRole("form", { name: "The widget" });
  await form.getByLabel("Websites").fill("no such thing");
  await form.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText(/“no such thing” is not one/).waitFor();
  await form.getByLabel("Websites").fill("shop.example/cart\nhttps://www.shop.example");
  await form.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Widget saved").waitFor();
  assert.deepEqual((await desk.get(`/v1/dashboard/inboxes/${inbox.id}/widget`)).origins, ["https://shop.example", "https://www.shop.example"]);
  const policy = (await fetch(`${server.origin}/widget/frame?inbox=${inbox.id}`)).headers.get("content-security-policy");
  assert.match(policy, /frame-ancestors 'self' https:\/\/shop\.example https:\/\/www\.shop\.example$/);
  // The preview is the dashboard's own, and continues to work.
  await page.reload();
  await page.frameLocator("iframe").getByRole("heading", { level: 1 }).waitFor();
  await desk.patch(`/v1/dashboard/inboxes/${inbox.id}/widget`, { origins: [] });
});

scene("a secret is created, signs in a customer, is retired and revoked", { allow: [/request: http:\/\/127/, /Parley: /, /401/] }, async ({ page, visit }) => {
  await page.goto("/settings/identity");
  await page.getByRole("button", { name: "New key" }).click();
  await page.getByRole("button", { name: "Create key" }).click();
  const made = page.getByRole("dialog", { name: "Your new secret" });
  const secret = await made.getByRole("status", { name: "Secret" }).innerText();
  const kid = await made.getByRole("status", { name: "Key id (kid)" }).innerText();
  await made.getByRole("button", { name: "I have kept it" }).click();
  assert.ok(!(await page.content()).includes(secret), "the secret stays in the page");
  const row = page.getByRole("list", { name: "Identity keys" }).getByRole("listitem").filter({ hasText: kid });
  await row.getByText("never used").waitFor();

  const origin = await website({ server, inbox: inbox.id, token: () => identity({ kid, secret }, { sub: "by-new-key", name: "New Key" }) });
  const shop = await (await visit()).newPage();
  await shop.goto(origin);
  const chat = await openChat(shop);
  await write(chat, "signed by the new key");
  await messages(chat).filter({ hasText: /\d:\d/ }).waitFor();
  await row.getByRole("button", { name: `Change ${kid}` }).click();
  await page.getByRole("menuitem", { name: "Retire …" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Retire key" }).click();
  await row.getByText(/^Expires /).waitFor();
  await row.getByRole("button", { name: `Change ${kid}` }).click();
  await page.getByRole("menuitem", { name: "Revoke …" }).click();
  const lines = consoleOf(shop);
  await page.getByRole("dialog").getByRole("button", { name: "Revoke key" }).click();
  await until("the end of the session", () => lines.some((text) => /session has ended/.test(text)), 5000);
  await page.getByRole("button", { name: "Refresh" }).click();
  await page.getByRole("list", { name: "Refused identities" }).getByRole("listitem").filter({ hasText: "by-new-key" }).first().waitFor();
});

scene("a public key is accepted, and nonsense is refused at its field", { allow: [/400/] }, async ({ page }) => {
  const { publicKey } = await crypto.subtle.generateKey({ name: "Ed25519" }, true, ["sign", "verify"]);
  const pem = Buffer.from(await crypto.subtle.exportKey("spki", publicKey)).toString("base64");
  await page.goto("/settings/identity");
  await page.getByRole("button", { name: "New key" }).click();
  const form = page.getByRole("dialog");
  await form.getByLabel("Signed with").selectOption("public");
  await form.getByLabel("Public key").fill("nonsense");
  await form.getByLabel("Algorithm").selectOption("EdDSA");
  await form.getByRole("button", { name: "Create key" }).click();
  await form
    .getByText(/PEM|JWK/)
    .nth(1)
    .waitFor();
  await form.getByLabel("Public key").fill(`-----BEGIN PUBLIC KEY-----\n${pem}\n-----END PUBLIC KEY-----`);
  await form.getByRole("button", { name: "Create key" }).click();
  await form.waitFor({ state: "detached" });
  await page.getByRole("list", { name: "Identity keys" }).getByText("Public key · EdDSA").waitFor();
});

scene("a possible duplicate shows next to the conversation, and can be merged", { allow: [/request: http:\/\/127/] }, async ({ page, visit }) => {
  const key = await desk.post("/v1/dashboard/identity-keys", { kind: "secret" });
  const came = (claims) =>
    fetch(`${server.origin}/v1/widget/sessions`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ inboxId: inbox.id, identity: identity(key, claims) }) });
  await came({ sub: "old-account", name: "Dora Old", email: "dora@example.org" });
  const shop = await (await visit()).newPage();
  await shop.goto(await website({ server, inbox: inbox.id, token: identity(key, { sub: "new-account", name: "Dora New", email: "dora@example.org" }) }));
  const chat = await openChat(shop);
  await write(chat, "I have two accounts");
  await messages(chat).filter({ hasText: /\d:\d/ }).waitFor();
  await page.goto("/inbox?status=open");
  await page.getByRole("list", { name: "All open" }).getByRole("listitem").filter({ hasText: "Dora New" }).getByRole("link").click();
  const card = page.getByRole("region", { name: "Possible duplicate" });
  await card.getByRole("link", { name: "Dora Old" }).waitFor();
  await card.getByRole("button", { name: "Merge …" }).click();
  await page.getByRole("dialog", { name: "Merge Dora Old into Dora New?" }).getByRole("button", { name: "Merge" }).click();
  await card.waitFor({ state: "detached" });
  assert.deepEqual((await desk.get("/v1/dashboard/contact-duplicates")).data, []);
  const [{ contact }] = (await api.get("/v1/public/conversations?status=open&limit=1")).data;
  assert.equal(contact.name, "Dora New");
});
