// One whole day of an agent with 200 conversations: the connection to the
// server breaks, a colleague is faster, the laptop closes, and the evening's
// count is exact.
import assert from "node:assert/strict";
import { breakWay, empty, lost } from "./sending.mjs";
import { as, client, openSuite, signIn, until } from "./start.mjs";

const { scene, api, server, join } = await openSuite();

/** The conversations of the day, the first one on top. */
async function morning(count) {
  const made = [];
  for (let n = count; n >= 1; n--) {
    const name = `Customer ${String(n).padStart(3, "0")}`;
    const contact = await api.post("/v1/public/contacts", { name });
    const { id } = await api.post("/v1/public/conversations", { contactId: contact.id, labels: ["day"] });
    const path = `/v1/public/conversations/${id}`;
    const ask = (content) => api.post(`${path}/messages`, { content, role: "incoming" });
    await ask(`${name} asks`);
    made.unshift({ id, name, path, ask });
  }
  return made;
}

const reply = (page) => page.getByRole("textbox", { name: "Reply" });
const rows = (page) => page.getByRole("region", { name: "Conversations" }).getByRole("listitem");
const sent = (page, text) => page.getByRole("article", { name: /^Message from/ }).getByText(text, { exact: true });
const openIs = async (page, { id, name }) => {
  await page.waitForURL((url) => url.pathname === `/inbox/${id}`);
  await page.getByRole("article").getByText(`${name} asks`).waitFor();
};

scene("a day with 200 conversations", { allow: [...lost, /40[19]/] }, async ({ page, context, visit }) => {
  const cole = client(server.origin, as(await join({ email: "cole@example.org", name: "Cole Colleague" })));
  const work = await morning(200);
  /** What the server must have in the evening: text by path, once each. */
  const expected = [];
  const resolved = new Set();
  let next = 0;

  /** Answers the open conversation, and optionally resolves it; then the next one is open. */
  const answer = async (text, { resolve = true } = {}) => {
    const now = work[next];
    await openIs(page, now);
    await reply(page).fill(`${text} to ${now.name}`);
    expected.push([now, `${text} to ${now.name}`]);
    if (resolve) {
      resolved.add(now);
      next++;
    }
    await page.keyboard.press(resolve ? "Control+Shift+Enter" : "Control+Enter");
    return now;
  };

  // Morning: thirty answers by keyboard, while customers continue to write.
  await page.goto("/inbox?status=open&label=day");
  await rows(page).first().waitFor();
  await rows(page).first().getByRole("link").click();
  for (let n = 0; n < 30; n++) {
    await answer("Good morning");
    if (n % 10 === 5) await work[150 + n].ask("Are you there?"); // it must not change what is next
  }
  await openIs(page, work[next]);

  // A pending conversation whose customer writes is open again, and counted.
  const parked = work[199];
  await api.patch(parked.path, { status: "pending" });
  await parked.ask("I found the receipt");
  assert.equal((await api.get(parked.path)).status, "open");

  // The train: conversations that were loaded before are answered without a network; one of them is also resolved.
  const walk = async (to) => {
    await rows(page)
      .getByRole("link", { name: new RegExp(work[to].name) })
      .click();
    await openIs(page, work[to]);
  };
  for (const ahead of [1, 2, 3, 0]) await walk(next + ahead);
  await context.setOffline(true);
  for (const resolve of [false, true, false]) {
    const now = await answer("From the train", { resolve });
    if (!resolve) next++;
    await rows(page).filter({ hasText: now.name }).getByText("Not sent").waitFor();
    await walk(next);
  }
  await page.getByRole("link", { name: "3 not sent" }).waitFor();
  await context.setOffline(false);
  await until("the train's answers", async () => (await api.get(work[next - 1].path)).messages.data.length === 2);
  await page.getByRole("link", { name: /not sent/ }).waitFor({ state: "detached" });

  // A colleague is faster: the message stops once, and the agent discards it.
  const contested = work[next];
  await openIs(page, contested);
  await reply(page).fill("Mine comes too late");
  await cole.post(`${contested.path}/messages`, { content: "Cole has it" });
  await page.keyboard.press("Control+Enter");
  const stop = page.getByRole("group", { name: "Send this anyway?" });
  await stop.getByText("Cole Colleague answered in the meantime.").waitFor();
  await stop.getByRole("button", { name: "Discard" }).click();
  await stop.waitFor({ state: "detached" });
  expected.push([contested, "Cole has it"]);
  next++;

  // The server is killed during an answer, and the tab is closed before it is back.
  await page.goto(`/inbox/${work[next].id}?status=open&label=day`);
  await openIs(page, work[next]);
  await server.crash();
  await answer("Through the crash", { resolve: false });
  await page.getByRole("article", { name: "Message that was not sent" }).waitFor();
  await page.close();
  await server.start();
  page = await context.newPage();
  await page.goto(`/inbox/${work[next].id}?status=open&label=day`);
  await sent(page, `Through the crash to ${work[next].name}`).waitFor();
  next++;

  // The session ends during an answer; the same member signs in, and it is sent.
  await page.goto(`/inbox/${work[next].id}?status=open&label=day`);
  const way = await breakWay(context, 401);
  await answer("Signed in again", { resolve: false });
  await page.getByText("Your last message is kept here").waitFor();
  way.fault = "";
  await context.clearCookies();
  await page.getByRole("textbox", { name: "E-mail" }).fill(server.login);
  await page.getByRole("textbox", { name: "Password" }).fill(server.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await sent(page, `Signed in again to ${work[next].name}`).waitFor();

  // One is kept for tomorrow: unread for this member, also in another browser.
  const tomorrow = work[next + 1];
  await page.goto(`/inbox/${tomorrow.id}?status=open&label=day`);
  await openIs(page, tomorrow);
  await until("it was read", async () => (await api.get(tomorrow.path)).unreadCount === 0);
  await page.getByRole("log", { name: "Messages" }).focus();
  await page.keyboard.press("Shift+U");
  const elsewhere = await (await visit({ token: await signIn(server.origin, server.login, server.password) })).newPage();
  await elsewhere.goto("/inbox?status=open&label=day");
  await elsewhere.getByRole("listitem").filter({ hasText: tomorrow.name }).getByRole("img", { name: "Unread", exact: true }).waitFor();

  // The evening: each text is there once, and the resolved conversations are resolved.
  await empty(page);
  for (const [conversation, text] of expected) {
    const { messages } = await api.get(conversation.path);
    assert.equal(messages.data.filter(({ content }) => content === text).length, 1, text);
  }
  for (const conversation of resolved) assert.equal((await api.get(conversation.path)).status, "resolved", conversation.name);
  const all = JSON.stringify(await page.evaluate(() => ({ ...localStorage })));
  for (const [, text] of expected) assert.equal(all.includes(text), false, `${text} is still in the browser`);
  assert.equal(
    (await api.get(contested.path)).messages.data.some(({ content }) => content === "Mine comes too late"),
    false,
  );
});
