// Somebody answers or resolves while the member is writing: the answer stops once.
import assert from "node:assert/strict";
import { as, client, openSuite, until } from "./start.mjs";

const { scene, api, join, server } = await openSuite();
const xenia = client(server.origin, as(await join({ email: "xenia@example.org", name: "Xenia Colleague" })));
const refused = [/Failed to load resource.*409/];

async function talk(page, name) {
  const contact = await api.post("/v1/public/contacts", { name, email: `${name.toLowerCase().replaceAll(" ", ".")}@example.org` });
  const { id } = await api.post("/v1/public/conversations", { contactId: contact.id });
  const path = `/v1/public/conversations/${id}`;
  await api.post(`${path}/messages`, { content: `a question of ${name}`, role: "incoming" });
  await page.goto(`/inbox/${id}`);
  await page.getByRole("article").getByText(`a question of ${name}`).waitFor();
  const outgoing = async () => (await api.get(path)).messages.data.filter(({ messageType, isPrivate }) => messageType === "outgoing" && !isPrivate).map(({ content }) => content);
  return { path, outgoing };
}

const reply = (page) => page.getByRole("textbox", { name: "Reply" });
const ask = (page) => page.getByRole("group", { name: "Send this anyway?" });
const bubble = (page, text) => page.getByRole("article", { name: /^Message from/ }).getByText(text, { exact: true });
const focused = (page) => page.evaluate(() => document.activeElement?.textContent ?? "");

scene("by keyboard: it stops, shows what happened, returns to the draft, and is sent at the second press", { allow: refused }, async ({ page }) => {
  const { path, outgoing } = await talk(page, "Kay Keys");
  await reply(page).pressSequentially("It is on");
  await xenia.post(`${path}/messages`, { content: "It was sent on Monday." });
  await bubble(page, "It was sent on Monday.").waitFor();
  await reply(page).pressSequentially(" its way");
  await page.keyboard.press("Control+Enter");
  await ask(page).getByText("Xenia Colleague answered in the meantime.").waitFor();
  await ask(page).getByText("It was sent on Monday.").waitFor();
  assert.deepEqual(await outgoing(), ["It was sent on Monday."]);
  await until("the question has the focus", async () => (await focused(page)) === "Back to editing");
  await page.keyboard.press("Enter");
  await until("the draft is back", async () => (await reply(page).inputValue()) === "It is on its way");
  await until("it has the focus", () => reply(page).evaluate((box) => box === document.activeElement));
  await page.keyboard.press("Control+Enter");
  await bubble(page, "It is on its way").waitFor();
  assert.deepEqual(await outgoing(), ["It was sent on Monday.", "It is on its way"]);
});

scene("by mouse: send anyway", { allow: refused }, async ({ page }) => {
  const { path, outgoing } = await talk(page, "Moe Mouse");
  await reply(page).fill("Yes");
  await xenia.post(`${path}/messages`, { content: "No" });
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await ask(page).getByRole("button", { name: "Send anyway" }).click();
  await bubble(page, "Yes").waitFor();
  assert.deepEqual(await outgoing(), ["No", "Yes"]);
});

scene("a discarded message is on no server and in no storage", { allow: refused }, async ({ page }) => {
  const { path, outgoing } = await talk(page, "Dee Discard");
  await reply(page).fill("Never mind me");
  await xenia.post(`${path}/messages`, { content: "Done" });
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await ask(page).getByRole("button", { name: "Discard" }).click();
  await ask(page).waitFor({ state: "detached" });
  assert.deepEqual(await outgoing(), ["Done"]);
  assert.equal(await page.evaluate(() => JSON.stringify(localStorage).includes("Never mind me")), false);
});

scene("resolved in the meantime: send and reopen, or send and keep it resolved", { allow: refused }, async ({ page }) => {
  for (const [button, status, name] of [
    ["Send and reopen", "open", "Rea Reopened"],
    ["Send, keep resolved", "resolved", "Kit Kept"],
  ]) {
    const { path, outgoing } = await talk(page, name);
    await reply(page).fill("One more thing");
    await xenia.patch(path, { status: "resolved" });
    await page.getByLabel("Status: Resolved").waitFor();
    await reply(page).press("Control+Enter");
    await ask(page).getByText("Xenia Colleague resolved this conversation.").waitFor();
    assert.deepEqual(await outgoing(), []);
    await ask(page).getByRole("button", { name: button }).click();
    await bubble(page, "One more thing").waitFor();
    assert.deepEqual(await outgoing(), ["One more thing"]);
    assert.equal((await api.get(path)).status, status);
  }
});

scene("the customer writes again, a colleague adds a note, the member resolves: nothing stops", { allow: refused }, async ({ page }) => {
  const { path, outgoing } = await talk(page, "Flo Flow");
  await reply(page).fill("first");
  await api.post(`${path}/messages`, { content: "hello?", role: "incoming" });
  await xenia.post(`${path}/messages`, { content: "a hard case", isPrivate: true });
  await reply(page).press("Control+Enter");
  await bubble(page, "first").waitFor();
  await reply(page).fill("last");
  await reply(page).press("Control+Enter");
  // Which opens the next conversation.
  await page.getByRole("button", { name: "Resolve", exact: true }).click();
  await until("it is resolved", async () => (await api.get(path)).status === "resolved");
  await until("both are there", async () => (await outgoing()).length === 2);
  assert.equal(await ask(page).count(), 0);
});

scene("a private note is always added", async ({ page }) => {
  const { path } = await talk(page, "Nat Noted");
  await page.getByRole("radio", { name: "Private note" }).click();
  await page.getByRole("textbox", { name: "Private note" }).fill("for us");
  await xenia.post(`${path}/messages`, { content: "answered" });
  await xenia.patch(path, { status: "resolved" });
  await page.getByRole("button", { name: "Add note" }).click();
  await page
    .getByRole("article", { name: /^Private note by/ })
    .getByText("for us")
    .waitFor();
});

scene("a message that was queued without a network asks if somebody has answered since", { allow: [...refused, /net::ERR_/, /Failed to load resource/] }, async ({ page, context }) => {
  const { path, outgoing } = await talk(page, "Tom Tunnel");
  await context.setOffline(true);
  await reply(page).fill("from the tunnel");
  await reply(page).press("Control+Enter");
  await page.getByRole("article", { name: "Message that was not sent" }).waitFor();
  await xenia.post(`${path}/messages`, { content: "I took over" });
  await page.goto("about:blank").catch(() => undefined);
  await context.setOffline(false);
  await page.goto("/contacts");
  const notice = page.getByRole("region", { name: "Notifications" });
  await notice.getByText(/Xenia Colleague answered in the meantime/).waitFor();
  assert.deepEqual(await outgoing(), ["I took over"]);
  await notice.getByRole("button", { name: "Show" }).click();
  await ask(page).getByRole("button", { name: "Send anyway" }).click();
  await bubble(page, "from the tunnel").waitFor();
  assert.deepEqual(await outgoing(), ["I took over", "from the tunnel"]);
});
