// The connection to the server breaks, and comes back; two members work at once.
import assert from "node:assert/strict";
import { connect, createServer } from "node:net";
import { after } from "node:test";
import { openSuite, until } from "./start.mjs";

const { scene, api, join, server } = await openSuite();
const wire = await openWire();
const lost = [/net::ERR_/, /Failed to load resource/];

async function talk(name) {
  const contact = await api.post("/v1/public/contacts", { name, email: `${name.toLowerCase().replaceAll(" ", ".")}@example.org` });
  const { id } = await api.post("/v1/public/conversations", { contactId: contact.id });
  return { id, path: `/v1/public/conversations/${id}`, say: (content) => api.post(`/v1/public/conversations/${id}/messages`, { content, role: "incoming" }) };
}

/**
 * The network between the browser and the server. context.setOffline keeps an open stream open, so losing the network
 * means cutting it here too.
 */
async function openWire() {
  const sockets = new Set();
  let whole = true;
  const keep = (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket)).on("error", () => socket.destroy());
  };
  const listener = createServer((near) => {
    keep(near);
    if (!whole) return near.destroy();
    const far = connect(new URL(server.origin).port, "127.0.0.1");
    keep(far);
    near.pipe(far).on("close", () => near.destroy());
    far.pipe(near).on("close", () => far.destroy());
  });
  await new Promise((listening) => listener.listen(0, "127.0.0.1", listening));
  const cut = () => {
    whole = false;
    for (const socket of sockets) socket.destroy();
  };
  after(() => {
    cut();
    listener.close();
  });
  return { origin: `http://127.0.0.1:${listener.address().port}`, cut, mend: () => (whole = true) };
}

/** Disconnects the network, or reconnects it. */
async function setNetwork(context, there) {
  if (there) wire.mend();
  await context.setOffline(!there);
  if (!there) wire.cut();
}

/** The texts of the open conversation's messages, in order. */
const shown = (page, pattern) => page.getByRole("article").evaluateAll((articles, source) => articles.flatMap((article) => article.innerText.match(new RegExp(source, "g")) ?? []), pattern.source);

scene("messages that were sent while the network was down all arrive afterwards", { allow: lost, origin: wire.origin }, async ({ page, context }) => {
  const { id, say } = await talk("Olaf Offline");
  await say("message 0 of many");
  await page.goto(`/inbox/${id}?status=open`);
  await until("the first message", async () => (await shown(page, /message \d+ of many/)).length === 1);
  await page.evaluate(() => (window.sameDocument = true));
  await setNetwork(context, false);
  await page.getByText("Offline. What you see may be old.").waitFor();
  for (let n = 1; n <= 120; n++) await say(`message ${n} of many`);
  assert.equal((await shown(page, /message \d+ of many/)).length, 1, "the network was not away");
  await setNetwork(context, true);
  await until("121 messages", async () => (await shown(page, /message \d+ of many/)).length === 121);
  assert.deepEqual(
    await shown(page, /message \d+ of many/),
    Array.from({ length: 121 }, (_, n) => `message ${n} of many`),
  );
  await page.getByText("Offline. What you see may be old.").waitFor({ state: "detached" });
  await say("message 121 of many");
  await until("the line is live again", async () => (await shown(page, /message 121 of many/)).length === 1);
  assert.equal(await page.evaluate(() => window.sameDocument), true, "the page was loaded anew");
});

scene("the server is killed and started again: the dashboard catches up", { allow: lost }, async ({ page }) => {
  const { id, say } = await talk("Kim Killed");
  await say("before the crash");
  await page.goto(`/inbox/${id}?status=open`);
  await page.getByRole("article").getByText("before the crash").waitFor();
  await page.evaluate(() => (window.sameDocument = true));
  await server.crash();
  await page.getByText("Reconnecting … What you see may be old.").waitFor();
  await server.start();
  for (let n = 0; n < 30; n++) await say(`number ${n} after the crash`);
  await until("30 messages", async () => (await shown(page, /number \d+ after the crash/)).length === 30);
  assert.deepEqual(
    await shown(page, /number \d+ after the crash/),
    Array.from({ length: 30 }, (_, n) => `number ${n} after the crash`),
  );
  await page.getByText("Reconnecting … What you see may be old.").waitFor({ state: "detached" });
  // The session survives the crash as well.
  await page.getByRole("textbox", { name: "Reply" }).fill("We are back.");
  await page.getByRole("textbox", { name: "Reply" }).press("Control+Enter");
  await page
    .getByRole("article", { name: /^Message from/ })
    .getByText("We are back.")
    .waitFor();
  assert.equal(await page.evaluate(() => window.sameDocument), true, "the page was loaded anew");
});

scene("an answer that was written without a network is sent when the network is back", { allow: lost, origin: wire.origin }, async ({ page, context }) => {
  const { id, path, say } = await talk("Wim Without");
  await say("hello");
  await page.goto(`/inbox/${id}?status=open`);
  await page.getByRole("article").getByText("hello").waitFor();
  await setNetwork(context, false);
  await page.getByRole("textbox", { name: "Reply" }).fill("written in a tunnel");
  await page.getByRole("textbox", { name: "Reply" }).press("Control+Enter");
  const failed = page.getByRole("article", { name: "Message that was not sent" });
  await failed.waitFor();
  await setNetwork(context, true);
  await page
    .getByRole("article", { name: /^Message from/ })
    .getByText("written in a tunnel")
    .waitFor();
  assert.equal((await api.get(path)).messages.data.filter(({ content }) => content === "written in a tunnel").length, 1);
});

scene("a second tab of the same member is live too, also after the first has closed", async ({ page, context }) => {
  const { id, say } = await talk("Tina Tabs");
  await say("for both tabs");
  const second = await context.newPage();
  for (const tab of [page, second]) {
    await tab.goto(`/inbox/${id}?status=open`);
    await tab.getByRole("article").getByText("for both tabs").waitFor();
  }
  await say("live in both");
  for (const tab of [page, second]) await tab.getByRole("article").getByText("live in both").waitFor();
  await page.close();
  await say("live in the one that is left");
  await second.getByRole("article").getByText("live in the one that is left").waitFor();
});

scene("two members see each other: presence, typing, and what the other changes", async ({ page, visit }) => {
  const token = await join({ email: "bo.second@example.org", name: "Bo Second" });
  const { id, path, say } = await talk("Vera Visited");
  await say("who answers me?");
  const other = await (await visit({ token })).newPage();
  const address = `/inbox/${id}?status=open`;
  await page.goto(address);
  await other.goto(address);
  await page.getByText("Bo Second is also looking at this").waitFor();
  await other.getByText(/is also looking at this/).waitFor();
  await other.getByRole("textbox", { name: "Reply" }).pressSequentially("I take ");
  await page.getByText("Bo Second is writing an answer …").waitFor();
  await other.getByRole("textbox", { name: "Reply" }).fill("I take care of it");
  await other.getByRole("textbox", { name: "Reply" }).press("Control+Enter");
  await page
    .getByRole("article", { name: /^Message from Bo Second/ })
    .getByText("I take care of it")
    .waitFor();
  await page.getByText("Bo Second is also looking at this").waitFor();
  await other.keyboard.press("Escape"); // out of the field, so that keys are commands
  await other.keyboard.press("i");
  await page.getByLabel("Assignee: Bo Second").waitFor();
  assert.equal((await api.get(path)).assignee.name, "Bo Second");
  await page.getByRole("button", { name: "Resolve", exact: true }).click();
  await other.getByRole("button", { name: "Reopen" }).waitFor();
  await other.getByRole("link", { name: "Contacts" }).click();
  await page.getByText(/Bo Second is/).waitFor({ state: "detached" });
});

scene("a removed member is signed out at once", { allow: [/Failed to load resource.*401/] }, async ({ page, visit }) => {
  const token = await join({ email: "rolf.removed@example.org", name: "Rolf Removed" });
  const other = await (await visit({ token })).newPage();
  await other.goto("/inbox?status=open");
  await other.getByRole("list", { name: "All open" }).getByRole("listitem").first().waitFor();
  await page.goto("/settings/members");
  await page.getByRole("button", { name: "More about Rolf Removed" }).click();
  await page.getByRole("menuitem", { name: /Remove from the workspace/ }).click();
  await page.getByRole("dialog", { name: "Remove Rolf Removed?" }).getByRole("button", { name: "Remove member" }).click();
  await other.getByRole("heading", { name: "Sign in" }).waitFor();
  await page.getByRole("list", { name: "Members" }).getByText("Rolf Removed").waitFor({ state: "detached" });
});
