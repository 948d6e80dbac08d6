// Sending under unusual conditions of the browser: another member signs in, the
// storage is full, the author works in two tabs, a request gets no answer.
import assert from "node:assert/strict";
import { breakWay, lost, open, press, reply, sent, talk as talkOf, unsent } from "./sending.mjs";
import { as, client, openSuite, signIn, until } from "./start.mjs";

const { scene, api, desk, join, server } = await openSuite();
const password = "a long enough password";
const bo = { email: "bo.beside@example.org", name: "Bo Beside" };
const boToken = await join({ ...bo, password });
const asBo = client(server.origin, as(boToken));

const talk = (name) => talkOf(api, name);
const cookie = (value) => ({ name: "__Host-parley", value, url: server.origin.replace("http:", "https:"), httpOnly: true, secure: true, sameSite: "Lax" });
const refused = [...lost, /Failed to load resource.*40[09]/];
const anyReply = (page) => page.getByRole("textbox", { name: /^(Reply|Private note)$/ });
const ask = (page) => page.getByRole("group", { name: "Send this anyway?" });
const menu = (page, name) => page.getByRole("complementary", { name: "Navigation" }).getByRole("button", { name });
const senders = async ({ path }, text) => (await api.get(path)).messages.data.filter(({ content }) => content === text).map(({ sender }) => sender.name);
const fillStorage = (page) =>
  page.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
  });

/** Bo answers while the member is writing, so the answer asks. */
async function overtaken(page, talked, text) {
  await open(page, talked);
  await reply(page).fill(text);
  await asBo.post(`${talked.path}/messages`, { content: "answered by Bo" });
  await sent(page, "answered by Bo").waitFor();
  await reply(page).press("Control+Enter");
  await ask(page).waitFor();
}

scene("another member's cookie: queued messages are sent in nobody else's name, and the page becomes that member's", { allow: refused }, async ({ page, context, token }) => {
  const talked = await talk("Two Members");
  await open(page, talked);
  await context.setOffline(true);
  await press.keyboard(page, "written by Ann");
  await unsent(page).waitFor();
  await context.addCookies([cookie(boToken)]);
  await context.setOffline(false);
  await menu(page, bo.name).waitFor();
  await page.getByText(`a question of ${talked.name}`).last().waitFor();
  assert.equal(await page.getByText("written by Ann").count(), 0);
  assert.deepEqual(await senders(talked, "written by Ann"), []);
  await context.addCookies([cookie(token)]);
  await page.reload();
  await sent(page, "written by Ann").waitFor();
  assert.deepEqual(await senders(talked, "written by Ann"), ["Ann Lindqvist"]);
});

scene("another member signs in in a second tab: the first tab becomes theirs, before anything is sent", { allow: refused }, async ({ page, context }) => {
  const talked = await talk("Live Beside");
  await context.addCookies([cookie(await signIn(server.origin, server.login, server.password))]);
  await open(page, talked);
  await menu(page, "Ann Lindqvist").waitFor();
  const second = await context.newPage();
  await second.goto("/signin");
  await second.getByRole("textbox", { name: "E-mail" }).fill(bo.email);
  await second.getByRole("textbox", { name: "Password" }).fill(password);
  await second.getByRole("button", { name: "Sign in" }).click();
  await menu(second, bo.name).waitFor();
  await menu(page, bo.name).waitFor();
  await press.keyboard(page, "as who I am");
  await sent(page, "as who I am").waitFor();
  assert.deepEqual(await senders(talked, "as who I am"), [bo.name]);
});

scene("the storage is full: back to editing keeps the answer", { allow: refused }, async ({ page }) => {
  const talked = await talk("Full Storage");
  await fillStorage(page);
  await overtaken(page, talked, "five minutes of work");
  await ask(page).getByRole("button", { name: "Back to editing" }).click();
  await ask(page).waitFor({ state: "detached" });
  assert.equal(await reply(page).inputValue(), "five minutes of work");
});

scene("the storage is full: a page asks before it is closed, even if another tab is open", { allow: refused }, async ({ page, context }) => {
  const talked = await talk("Two Full");
  const second = await context.newPage();
  await second.goto("/inbox?status=open");
  await menu(second, "Ann Lindqvist").waitFor();
  await fillStorage(page);
  await open(page, talked);
  await breakWay(context, "before");
  await press.keyboard(page, "only here");
  await unsent(page).waitFor();
  await until("the tab knows of the other", () => page.evaluate(() => navigator.locks.query().then(({ pending }) => pending.length > 0)));
  await page.close({ runBeforeUnload: true });
  await until("it is closed", () => page.isClosed());
  assert.equal(context.held, 1, "nobody asked before the page went");
});

scene("a draft note remains a note when a reply returns to it", { allow: refused }, async ({ page }) => {
  const talked = await talk("Mixed Note");
  await overtaken(page, talked, "a public answer");
  await page.getByRole("radio", { name: "Private note" }).click();
  await anyReply(page).fill("he never pays");
  await ask(page).getByRole("button", { name: "Back to editing" }).click();
  await until("both are there", async () => (await anyReply(page).inputValue()) === "a public answer\n\nhe never pays");
  assert.equal(await anyReply(page).getAttribute("aria-label"), "Private note");
});

scene("a request to reopen gets no answer: it is retried", { allow: refused }, async ({ page, context }) => {
  await page.addInitScript(() => {
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    AbortSignal.timeout = (ms) => timeout(Math.min(ms, 3000));
  });
  const talked = await talk("Hanging Hal");
  await open(page, talked);
  await reply(page).fill("one more thing");
  await asBo.patch(talked.path, { status: "resolved" });
  await reply(page).press("Control+Enter");
  let hung = 0;
  await context.route(`**${talked.path}`, (route) => (route.request().method() === "PATCH" && hung++ === 0 ? undefined : route.fallback()));
  await ask(page).getByRole("button", { name: "Send and reopen" }).click();
  await sent(page, "one more thing").waitFor();
  assert.equal(hung, 2);
  assert.equal((await api.get(talked.path)).status, "open");
});

scene("two tabs show one draft: once sent, it disappears from the other tab, and text that only that tab has stays", { allow: refused }, async ({ page, context }) => {
  const talked = await talk("Twice Tabbed");
  await open(page, talked);
  await reply(page).fill("the same words");
  const second = await context.newPage();
  await open(second, talked);
  await until("the draft shows in both", async () => (await reply(second).inputValue()) === "the same words");
  await press.keyboard(page, "the same words, and the end");
  await sent(page, "the same words, and the end").waitFor();
  await until("it is gone", async () => (await reply(second).inputValue()) === "");
  await reply(page).fill("of the first");
  await reply(second).fill("of the second");
  await reply(page).press("Control+Enter");
  await sent(second, "of the first").waitFor();
  assert.equal(await reply(second).inputValue(), "of the second");
  await second.reload();
  await until("it is kept", async () => (await reply(second).inputValue()) === "of the second");
});

scene("an answer of its author from another device stops the queued message", { allow: refused }, async ({ page, context }) => {
  const talked = await talk("Other Device");
  await open(page, talked);
  await context.setOffline(true);
  await press.keyboard(page, "from the laptop");
  await unsent(page).waitFor();
  await desk.post(`${talked.path}/messages`, { content: "from the phone" });
  await desk.patch(talked.path, { status: "resolved" });
  await context.setOffline(false);
  await ask(page).getByText("You answered in the meantime, and resolved this conversation.").waitFor();
  assert.equal(await talked.count("from the laptop"), 0);
});

scene("back to editing during an upload: both files are there", { allow: refused }, async ({ page, context }) => {
  const talked = await talk("Upload Una");
  let release = () => {};
  const gate = new Promise((open) => (release = open));
  await context.route("**/v1/public/attachments*", async (route) => {
    await gate;
    await route.continue();
  });
  await overtaken(page, talked, "see the plan");
  await page.locator("input[type=file]").setInputFiles({ name: "plan.txt", mimeType: "text/plain", buffer: Buffer.from("the plan") });
  await page.getByText("plan.txt").waitFor();
  await ask(page).getByRole("button", { name: "Back to editing" }).click();
  await until("the draft is back", async () => (await reply(page).inputValue()) === "see the plan");
  release();
  await until("the upload", () => page.getByRole("button", { name: "Send", exact: true }).isEnabled());
  await reply(page).press("Control+Enter");
  await sent(page, "see the plan").waitFor();
  const { data } = (await api.get(talked.path)).messages;
  assert.deepEqual(
    data.at(-1).attachments.map(({ fileName }) => fileName),
    ["plan.txt"],
  );
});

scene("an accidental discard can be undone", { allow: refused }, async ({ page }) => {
  const talked = await talk("Undone Ulf");
  await overtaken(page, talked, "a long answer");
  await ask(page).getByRole("button", { name: "Discard" }).click();
  await ask(page).waitFor({ state: "detached" });
  await page.getByRole("region", { name: "Notifications" }).getByRole("button", { name: "Undo" }).click();
  await ask(page).getByRole("button", { name: "Send anyway" }).click();
  await sent(page, "a long answer").waitFor();
});

scene("on a phone the bar shows what is not sent", { allow: refused, viewport: { width: 390, height: 800 } }, async ({ page, context }) => {
  const talked = await talk("Phone Pia");
  await open(page, talked);
  await breakWay(context, "before");
  await press.keyboard(page, "on the train");
  await unsent(page).waitFor();
  await page.getByRole("link", { name: /Back/ }).click();
  await page.getByRole("banner").getByRole("link", { name: "1 not sent" }).click();
  await unsent(page).getByText("on the train").waitFor();
});

scene("a first message that was written for one contact is offered for no other", { allow: refused }, async ({ page, context }) => {
  const [first, other] = [await talk("Xaver First"), await talk("Yvonne Other")];
  await context.route("**/v1/public/conversations", (route) => (route.request().method() === "POST" ? route.fulfill({ status: 503, json: { error: "busy" } }) : route.fallback()));
  await page.goto("/inbox?status=open");
  const dialog = page.getByRole("dialog", { name: "New conversation" });
  const text = dialog.getByRole("textbox", { name: /First message/ });
  const choose = async ({ name }) => {
    await dialog.getByRole("combobox", { name: "Contact" }).fill(name);
    await page.getByRole("option", { name: new RegExp(name) }).click();
  };
  const begin = () => page.getByRole("button", { name: "New conversation" }).first().click();
  await begin();
  await choose(first);
  await text.fill("about your bill");
  await until("it is tried", async () => {
    await dialog.getByRole("button", { name: "Start conversation" }).click();
    return page.evaluate(() => Object.keys(localStorage).some((key) => key.includes(".new.")));
  });
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await begin();
  assert.equal(await text.inputValue(), "");
  await choose(first);
  await until("it is offered for its contact", async () => (await text.inputValue()) === "about your bill");
  await choose(other);
  await until("it is offered for no other", async () => (await text.inputValue()) === "");
});
