// Text from a customer is shown as text in the dashboard, and text from the
// team as text in the chat and in the shop's page.
import assert from "node:assert/strict";
import { payloads } from "../../dashboard/test/payloads.mjs";
import { openSuite, until } from "../../dashboard/test/start.mjs";
import { identity, messages, openChat, website } from "./shop.mjs";

const { scene, server, desk, api } = await openSuite();
const { id: inbox } = await desk.post("/v1/dashboard/inboxes", { name: "Markup", channelType: "web" });
const key = await desk.post("/v1/dashboard/identity-keys", { kind: "secret" });

/** Checks the same in a page of the dashboard and in the frame of the widget. */
async function clean(frame, where) {
  const found = await frame.evaluate(() => {
    const selector = ".planted, object, embed, base, marquee, math, template, foreignObject, animate, body script, [onerror], [onload], [onfocus], [onclick], [onmouseover], [ontoggle]";
    const faults = [...document.querySelectorAll(selector)].map((element) => element.outerHTML.slice(0, 120));
    for (const link of document.querySelectorAll("a[href]")) {
      if (!["http:", "https:", "mailto:", "tel:"].includes(link.protocol)) faults.push(`a link to ${link.href}`);
    }
    return faults;
  });
  assert.deepEqual(found, [], where);
}

/** A session of the widget, without a browser, because many messages are sent here. */
async function customer(token) {
  const ask = async (method, path, body, session) => {
    const answer = await fetch(`${server.origin}/v1/widget/${path}`, {
      method,
      headers: { "Content-Type": "application/json", ...(session && { Authorization: `Bearer ${session}` }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    // This address sends more messages than the throttle allows a customer.
    if (answer.status === 429) return null;
    if (!answer.ok && answer.status !== 400) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.ok ? answer.json() : null;
  };
  const session = await ask("POST", "sessions", { inboxId: inbox, ...(token && { identity: token }) });
  return { write: (path, content) => ask("POST", path, { content }, session.token) };
}

scene("a customer's words, name, company and attributes are text in the dashboard", { allow: [/request: http:\/\/127/] }, async ({ page }) => {
  // As many customers as the throttle makes necessary.
  const parts = Array.from({ length: Math.ceil(payloads.length / 25) }, (_, n) => payloads.slice(n * 25, n * 25 + 25));
  for (const [n, part] of parts.entries()) {
    const nasty = payloads[(n * 7) % payloads.length].slice(0, 200);
    const claims = { sub: `markup-${n}`, name: nasty, picture: "javascript:alert(1)", organization: { id: `markup-${n}`, name: nasty, website: "javascript:alert(1)" }, attributes: { note: nasty } };
    const who = await customer(identity(key, claims)).catch(() => customer(identity(key, { sub: `markup-${n}`, name: nasty, organization: { id: `markup-${n}`, name: nasty } })));
    const begun = await who.write("conversations", part[0]);
    assert.ok(begun, "the first message is taken");
    let taken = 1;
    for (const text of part.slice(1)) if (await who.write(`conversations/${begun.conversation.id}/messages`, text)) taken++;
    await page.goto(`/inbox/${begun.conversation.id}?status=open`);
    await until("the messages", async () => (await page.getByRole("log").getByRole("article").count()) >= taken);
    await clean(page, `the inbox, part ${n}`);
    await page.goto(`/contacts/${(await api.get(`/v1/public/conversations/${begun.conversation.id}`)).contact.id}`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await clean(page, `the contact ${n}`);
  }
});

scene("the team's text is text in the chat", { allow: [/request: http:\/\/127/] }, async ({ visit }) => {
  const shop = await (await visit()).newPage();
  await shop.goto(await website({ server, inbox, token: identity(key, { sub: "reader" }) }));
  const chat = await openChat(shop);
  await chat.getByRole("textbox", { name: "Message" }).fill("begin");
  await chat.getByRole("button", { name: "Send" }).click();
  await messages(chat).filter({ hasText: /\d:\d/ }).waitFor();
  const [{ id }] = (await api.get("/v1/public/conversations?status=open&limit=1")).data;
  let sent = 0;
  for (const [n, content] of payloads.entries()) {
    const posted = await desk
      .post(`/v1/public/conversations/${id}/messages`, { content, contentType: n % 2 ? "markdown" : "text" })
      .catch((error) => (error.status === 400 ? null : Promise.reject(error)));
    if (posted) sent++;
  }
  assert.ok(sent > 90);
  await until("all messages", async () => (await messages(chat).count()) === sent + 1);
  const frame = shop.frames().find((one) => one.url().includes("/widget/frame"));
  await clean(frame, "the thread");
  await chat.getByRole("button", { name: "All conversations" }).click();
  await clean(frame, "the list");
  // Read again, not received live.
  await shop.reload();
  await shop.frameLocator("iframe").getByRole("heading", { level: 1 }).waitFor();
  await clean(
    shop.frames().find((one) => one.url().includes("/widget/frame")),
    "after reloading",
  );
});

scene("the settings are text, in the chat and on the button", { allow: [/request: http:\/\/127/] }, async ({ page, visit }) => {
  const origin = await website({ server, inbox });
  const shop = await (await visit()).newPage();
  for (const text of payloads.filter((one) => one.trim() !== "" && !/[\0]/.test(one)).slice(0, 40)) {
    const cut = [...text].slice(0, 60).join("");
    const set = await desk.patch(`/v1/dashboard/inboxes/${inbox}/widget`, { title: cut, greeting: text, replyTime: cut }).catch((error) => (error.status === 400 ? null : Promise.reject(error)));
    if (!set) continue;
    await shop.goto(origin);
    await shop.locator("iframe").and(shop.locator(`[title]`)).waitFor({ state: "attached" });
    // It stays open from page to page.
    const button = shop.getByRole("button", { name: /^(?:Open|Close) / });
    await button.waitFor();
    if (await shop.getByRole("button", { name: /^Open / }).isVisible()) await button.click();
    await shop.frameLocator("iframe").getByRole("heading", { level: 1 }).waitFor();
    await clean(shop, `the shop: ${text}`);
    await clean(
      shop.frames().find((one) => one.url().includes("/widget/frame")),
      `the chat: ${text}`,
    );
  }
  await page.goto(`/settings/inboxes/${inbox}/widget`);
  await page.frameLocator("iframe").getByRole("heading", { level: 1 }).waitFor();
  await clean(page, "the settings");
});
