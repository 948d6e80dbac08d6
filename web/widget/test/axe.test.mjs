// axe-core finds nothing: in all states of the chat, in the shop with the
// button, in the dashboard's pages about the widget; light, dark, on a phone.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { openSuite } from "../../dashboard/test/start.mjs";
import { identity, messages, openChat, website, write } from "./shop.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const { scene, server, desk, api } = await openSuite();
const key = await desk.post("/v1/dashboard/identity-keys", { kind: "secret" });

async function check(frame, where) {
  await frame.evaluate(axe);
  const found = await frame.evaluate(async () => {
    const { violations } = await window.axe.run(document, { resultTypes: ["violations"], iframes: false });
    return violations.flatMap(({ id, help, nodes }) => nodes.map((node) => `${id} (${help}): ${node.target.join(" ")} ${node.html.slice(0, 150)} ${node.any[0]?.message ?? ""}`));
  });
  assert.deepEqual(found, [], where);
}
const frameOf = (page) => page.frames().find((one) => one.url().includes("/widget/frame"));

const looks = {
  light: { colorScheme: "light" },
  dark: { colorScheme: "dark" },
  phone: { colorScheme: "light", viewport: { width: 375, height: 740 }, hasTouch: true, isMobile: true },
};

for (const [look, options] of Object.entries(looks)) {
  scene(`the chat, ${look}`, { ...options, allow: [/ERR_INTERNET_DISCONNECTED/] }, async ({ visit }) => {
    const context = await visit(options);
    const shop = await context.newPage();
    await shop.goto("/shop?as=visitor");
    await shop.getByRole("button", { name: /^Open / }).waitFor();
    await check(shop, "the shop, closed");
    const chat = await openChat(shop);
    await chat.getByText("Hello! Ask us about kit").waitFor();
    await check(frameOf(shop), "the beginning");
    await check(shop, "the shop, open");
    await chat.getByRole("textbox", { name: "Search for help" }).fill("parcel");
    await chat.getByRole("list").getByRole("button").first().waitFor();
    await check(frameOf(shop), "what the search found");
    await chat.getByRole("list").getByRole("button").first().click();
    await chat.getByText("Did this help?").waitFor();
    await check(frameOf(shop), "an article");
    await chat.getByRole("button", { name: /^Write to us/ }).click();
    await chat.getByRole("textbox", { name: "Message" }).fill("How do I send back a parcel?");
    await chat.getByRole("region", { name: "These may answer" }).waitFor();
    await check(frameOf(shop), "suggestions");
    await write(chat, "A question, see https://example.org/a");
    await messages(chat).filter({ hasText: /\d:\d/ }).waitFor();
    const [{ id }] = (await api.get("/v1/public/conversations?status=open&limit=1")).data;
    await desk.post(`/v1/public/conversations/${id}/messages`, { content: "An answer, see https://example.org/b" });
    // A message ends its sender's typing, so the answer must have arrived before the signal, which is not in the log.
    await messages(chat).filter({ hasText: "An answer" }).waitFor();
    await desk.post("/v1/dashboard/presence", { conversationId: id, typing: true });
    await chat.getByText("is writing …").waitFor();
    const png = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==", "base64");
    await chat.locator("input[type=file]").setInputFiles([
      { name: "a.png", mimeType: "image/png", buffer: png },
      { name: "b.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.4") },
    ]);
    await chat.getByRole("list", { name: "Files to send" }).getByText("b.pdf").waitFor();
    await check(frameOf(shop), "files to send");
    await chat.getByRole("button", { name: "Send", disabled: false }).click();
    await messages(chat).getByRole("img", { name: "a.png" }).waitFor();
    await check(frameOf(shop), "the thread");
    await context.setOffline(true);
    await write(chat, "while away");
    await chat.getByText("Waiting for the connection").waitFor();
    await check(frameOf(shop), "offline");
    await context.setOffline(false);
    await chat.getByText("Waiting for the connection").waitFor({ state: "detached" });
    await chat.getByRole("button", { name: "All conversations" }).click();
    await chat.getByRole("heading", { name: "Your conversations" }).waitFor();
    await check(frameOf(shop), "the list");
  });
}

scene("the chat in every colour", { allow: [/request: http:\/\/127/] }, async ({ visit }) => {
  const { id: inbox } = await desk.post("/v1/dashboard/inboxes", { name: "Colours", channelType: "web" });
  const origin = await website({ server, inbox, token: identity(key, { sub: "painter" }) });
  for (const colorScheme of ["light", "dark"]) {
    const shop = await (await visit({ colorScheme })).newPage();
    for (const [n, color] of ["#ffffff", "#000000", "#ffd400", "#777777", "#ff6f91", "#00e5ff"].entries()) {
      await desk.patch(`/v1/dashboard/inboxes/${inbox}/widget`, { color, position: n % 2 ? "left" : "right", replyTime: "Within the hour" });
      await shop.goto(origin);
      const chat = shop.frameLocator("iframe");
      await shop.getByRole("button", { name: /^(?:Open|Close) / }).waitFor();
      if (await shop.getByRole("button", { name: /^Open / }).isVisible()) await openChat(shop);
      await chat.getByRole("heading", { level: 1 }).waitFor();
      await check(frameOf(shop), `${color}, ${colorScheme}`);
      await check(shop, `the page, ${color}, ${colorScheme}`);
    }
  }
});

for (const colorScheme of ["light", "dark"]) {
  scene(`the dashboard's pages, ${colorScheme}`, { colorScheme }, async ({ page }) => {
    const [inbox] = (await desk.get("/v1/dashboard/state")).inboxes.filter(({ channelType }) => channelType === "web");
    await fetch(`${server.origin}/v1/widget/sessions`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ inboxId: inbox.id, identity: "nonsense" }) });
    await page.goto(`/settings/inboxes/${inbox.id}/widget`);
    await page.frameLocator("iframe").getByRole("heading", { level: 1 }).waitFor();
    await check(page, "the widget's settings");
    await page.goto("/settings/identity");
    await page.getByRole("list", { name: "Identity keys" }).waitFor();
    await page.getByRole("list", { name: "Refused identities" }).waitFor();
    await check(page, "identity");
    await page.getByRole("button", { name: "New key" }).click();
    await page.getByRole("dialog").getByLabel("Signed with").selectOption("jwks");
    await check(page, "a new key");
  });
}
