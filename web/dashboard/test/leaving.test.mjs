// The page is closed while a message is unsent: by a reload, a closed tab, an
// ended session, a sign-out. The message is sent later, once, or asked about.
import assert from "node:assert/strict";
import { breakWay, empty, lost, open, press, row, sent, talk as talkOf, unsent } from "./sending.mjs";
import { openSuite, signIn, until } from "./start.mjs";

const { scene, api, join, server } = await openSuite();
const talk = (name) => talkOf(api, name);

for (const fault of ["before", 503]) {
  scene(`${fault}, and the page is loaded anew: it asks first, and goes afterwards`, { allow: lost }, async ({ page, context }) => {
    const talked = await talk(`Reload ${fault}`);
    await open(page, talked);
    const way = await breakWay(context, fault);
    await press.keyboard(page, "over the reload");
    await unsent(page).waitFor();
    await page.reload();
    assert.equal(context.held, 1, "nobody asked before the page went");
    await unsent(page).or(sent(page, "over the reload")).first().waitFor();
    way.fault = "";
    await sent(page, "over the reload").waitFor();
    await unsent(page).waitFor({ state: "detached" });
    assert.equal(await talked.count("over the reload"), 1);
    await page.reload();
    await sent(page, "over the reload").waitFor();
    assert.equal(context.held, 1, "the page asks with nothing to lose");
  });
}

for (const fault of ["before", "after", 503]) {
  scene(`${fault}, and the tab is closed: the next one sends it`, { allow: lost }, async ({ page, context }) => {
    const talked = await talk(`Closed ${fault}`);
    await open(page, talked);
    const way = await breakWay(context, fault);
    await press.mouse(page, "from a closed tab");
    await until("a try", () => way.tries > 0);
    await page.close();
    way.fault = "";
    const next = await context.newPage();
    await next.goto("/contacts");
    await until("the message", async () => (await talked.count("from a closed tab")) === 1);
    await next.getByRole("link", { name: "1 not sent" }).waitFor({ state: "detached" });
    assert.equal(await talked.count("from a closed tab"), 1);
  });

  scene(`${fault}, and two tabs are open: one sends it`, { allow: lost }, async ({ page, context }) => {
    const talked = await talk(`Tabs ${fault}`);
    const second = await context.newPage();
    await open(page, talked);
    await open(second, talked);
    const way = await breakWay(context, fault);
    await press.keyboard(page, "from one of two");
    const shown = fault === "after" ? (tab) => sent(tab, "from one of two") : unsent;
    for (const tab of [page, second]) await shown(tab).waitFor();
    way.fault = "";
    await Promise.all([page, second].map((tab) => tab.evaluate(() => window.dispatchEvent(new Event("online")))));
    for (const tab of [page, second]) {
      await sent(tab, "from one of two").waitFor();
      await unsent(tab).waitFor({ state: "detached" });
      await empty(tab);
    }
    assert.equal(await talked.count("from one of two"), 1);
  });
}

scene("a tab that is closed while another is open leaves the message to that one, without asking", { allow: lost }, async ({ page, context }) => {
  const talked = await talk("Left Behind");
  const second = await context.newPage();
  await second.goto("/inbox?status=open");
  await open(page, talked);
  const way = await breakWay(context, "before");
  await press.keyboard(page, "over to you");
  await row(second, talked).getByText("Not sent").waitFor();
  await until("the tab knows of the other", () => page.evaluate(() => navigator.locks.query().then(({ pending }) => pending.length > 0)));
  await page.close({ runBeforeUnload: true });
  way.fault = "";
  await until("the message", async () => (await talked.count("over to you")) === 1);
  await row(second, talked).getByText("Not sent").waitFor({ state: "detached" });
});

async function signInAt(page, email, password) {
  await page.getByRole("textbox", { name: "E-mail" }).fill(email);
  await page.getByRole("textbox", { name: "Password" }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

scene("the session ended: the text waits for its author, and no other member sees it", { allow: lost }, async ({ page, context }) => {
  await join({ email: "eve@example.org", name: "Eve Elsewhere" });
  const talked = await talk("Ended Ed");
  await open(page, talked);
  const way = await breakWay(context, 401);
  await press.keyboard(page, "five minutes of work");
  await page.getByText("Your last message is kept here").waitFor();
  way.fault = "";
  await context.clearCookies();
  await signInAt(page, "eve@example.org", "a long enough password");
  await page.getByText(`a question of ${talked.name}`).last().waitFor();
  await page.getByRole("button", { name: "Eve Elsewhere" }).waitFor();
  assert.equal(await page.getByText("five minutes of work").count(), 0);
  assert.equal(await page.getByText("not sent").count(), 0);
  assert.equal(await talked.count("five minutes of work"), 0);
  await context.clearCookies();
  await page.goto(`/signin?next=${encodeURIComponent(talked.address)}`);
  await signInAt(page, server.login, server.password);
  await sent(page, "five minutes of work").waitFor();
  const { data } = (await api.get(talked.path)).messages;
  assert.equal(data.filter(({ content }) => content === "five minutes of work").length, 1);
  assert.notEqual(data.at(-1).sender.name, "Eve Elsewhere");
});

scene("signing out asks if there are unsent messages, and sends what it can", { allow: lost }, async ({ page, context }) => {
  const token = await signIn(server.origin, server.login, server.password);
  await context.addCookies([{ name: "__Host-parley", value: token, url: server.origin.replace("http:", "https:"), httpOnly: true, secure: true, sameSite: "Lax" }]);
  const talked = await talk("Signed Out");
  await open(page, talked);
  const way = await breakWay(context, "before");
  await press.keyboard(page, "before the weekend");
  await unsent(page).waitFor();
  const account = page.getByRole("complementary", { name: "Navigation" }).getByRole("button", { name: "Ann Lindqvist" });
  const leave = async () => {
    await account.click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
  };
  await leave();
  const ask = page.getByRole("dialog", { name: "Sign out and lose unsent messages?" });
  await ask.getByText("One of your messages is not sent yet.").waitFor();
  await ask.getByRole("button", { name: "Cancel" }).click();
  way.fault = "";
  await leave();
  await page.getByRole("textbox", { name: "E-mail" }).waitFor();
  assert.equal(await talked.count("before the weekend"), 1);
  assert.equal(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("parley.outbox.")).length), 0);
});

scene("signing out everywhere says what would be lost, and drops it when confirmed", { allow: lost }, async ({ visit }) => {
  const context = await visit({ token: await join({ email: "rob@example.org", name: "Rob Remote" }) });
  const page = await context.newPage();
  const talked = await talk("Every Where");
  await open(page, talked);
  await breakWay(context, "before");
  await press.keyboard(page, "on every device");
  await unsent(page).waitFor();
  await page.goto("/settings/profile");
  await page.getByRole("button", { name: "Sign out everywhere" }).click();
  const ask = page.getByRole("dialog", { name: "Sign out everywhere?" });
  await ask.getByRole("button", { name: "Sign out everywhere" }).click();
  await ask.getByText("One of your messages is not sent yet. If you sign out now, unsent messages are lost.").waitFor();
  assert.equal((await context.cookies()).length, 1);
  await ask.getByRole("button", { name: "Sign out everywhere" }).click();
  await page.getByRole("textbox", { name: "E-mail" }).waitFor();
  await empty(page);
  assert.equal(await talked.count("on every device"), 0);
});
