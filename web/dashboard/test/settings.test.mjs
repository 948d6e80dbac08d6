// What members set up: keys, products, labels, canned answers, their profile.
import assert from "node:assert/strict";
import { as, client, openSuite, signIn, until } from "./start.mjs";

const { scene, api, desk, join, server } = await openSuite();

scene("a key is created, works, shows its use, and stops working within a second of its revocation", async ({ page }) => {
  await page.goto("/settings/keys");
  await page.getByRole("button", { name: "New key" }).click();
  const form = page.getByRole("dialog", { name: "New API key" });
  await form.getByRole("textbox", { name: "Name" }).fill("Shop integration");
  for (const box of await form.getByRole("checkbox").all()) await box.uncheck();
  await form.getByRole("button", { name: "Create key" }).click();
  await form.getByText(/at least one permission/).waitFor();
  await form.getByRole("checkbox", { name: "conversations:read" }).check();
  await form.getByRole("button", { name: "Create key" }).click();
  const shown = page.getByRole("dialog", { name: "The key Shop integration" });
  const secret = await shown.getByRole("status", { name: "Key", exact: true }).innerText();
  assert.match(secret, /^pk_/);
  await shown.getByRole("button", { name: "I have kept it" }).click();
  const program = client(server.origin, { Authorization: `Bearer ${secret}` });
  assert.ok((await program.get("/v1/public/conversations?limit=1")).data.length === 1);
  await assert.rejects(program.post("/v1/public/contacts", { name: "x" }), { status: 403 });
  const row = page.getByRole("list", { name: "API keys" }).getByRole("listitem").filter({ hasText: "Shop integration" });
  assert.ok(!(await page.content()).includes(secret), "the secret stays in the page");
  await row.getByRole("button", { name: "Revoke Shop integration" }).click();
  const revoked = page.waitForResponse((answer) => answer.request().method() === "DELETE");
  await page.getByRole("dialog", { name: "Revoke Shop integration?" }).getByRole("button", { name: "Revoke key" }).click();
  await revoked;
  const dead = Date.now() + 1000;
  await row.waitFor({ state: "detached" });
  await until("the end of the key", async () => {
    const late = Date.now() > dead;
    const status = await program.get("/v1/public/conversations?limit=1").then(
      () => 200,
      (error) => error.status,
    );
    assert.ok(status === 401 || !late, `${status} more than a second after the end`);
    return status === 401;
  });
  await page.getByRole("switch", { name: /inactive/ }).check();
  await row.getByText("Revoked").waitFor();
});

scene("a product is created, archived and restored, and changes everywhere", async ({ page, visit, token }) => {
  const watcher = await (await visit({ token })).newPage();
  await watcher.goto("/inbox?status=open");
  const link = watcher.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Rain coats" });
  await page.goto("/settings/products");
  await page.getByRole("button", { name: "New product" }).click();
  await page.getByRole("dialog").getByRole("textbox", { name: "Name" }).fill("Rain coats");
  await page.getByRole("button", { name: "Create product" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await link.waitFor();
  await page.getByRole("button", { name: "Archive Rain coats" }).click();
  await page.getByRole("dialog", { name: "Archive Rain coats?" }).getByRole("button", { name: "Archive" }).click();
  await page.getByRole("button", { name: "Restore Rain coats" }).waitFor();
  await link.waitFor({ state: "detached" });
  const archived = (await api.get("/v1/public/products?limit=100")).data.find(({ name }) => name === "Rain coats");
  assert.equal(archived?.archived ?? true, true);
  await page.getByRole("button", { name: "Restore Rain coats" }).click();
  await page.getByRole("button", { name: "Archive Rain coats" }).waitFor();
  await link.waitFor();
});

scene("an error of the server is shown at its field", { allow: [/Failed to load resource.*(400|409)/] }, async ({ page }) => {
  await desk.post("/v1/dashboard/canned-answers", { shortcut: "taken", content: "x" });
  await page.goto("/settings/canned-answers");
  await page.getByRole("button", { name: "New answer" }).click();
  const form = page.getByRole("dialog");
  await form.getByRole("textbox", { name: "Shortcut" }).fill("taken");
  await form.getByRole("textbox", { name: "Answer" }).fill("again");
  await form.getByRole("button", { name: "Create answer" }).click();
  const field = form.getByRole("textbox", { name: "Shortcut" });
  await until("the fault", async () => (await field.getAttribute("aria-invalid")) === "true");
  await field.fill("free");
  await form.getByRole("button", { name: "Create answer" }).click();
  await form.waitFor({ state: "detached" });
  await page.getByText("/free", { exact: true }).waitFor();
});

scene("a label is created, coloured and deleted", async ({ page }) => {
  await page.goto("/settings/labels");
  await page.getByRole("button", { name: "New label" }).click();
  const form = page.getByRole("dialog");
  await form.getByRole("textbox", { name: "Name" }).fill("urgent repair");
  await form.getByRole("radio", { name: "purple" }).check();
  await form.getByRole("button", { name: /label$/ }).click();
  await form.waitFor({ state: "detached" });
  const labels = async () => (await desk.get("/v1/dashboard/labels")).data.find(({ name }) => name === "urgent repair");
  assert.equal((await labels()).color, "purple");
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "urgent repair" }).waitFor();
  await page.getByRole("button", { name: "Delete urgent repair" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete label" }).click();
  await until("the end of the label", async () => !(await labels()));
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "urgent repair" }).waitFor({ state: "detached" });
});

scene("an admin sets how long an inbox keeps conversations, and sees what that deletes", async ({ page }) => {
  const inbox = await desk.post("/v1/dashboard/inboxes", { name: "Old letters", channelType: "api" });
  const rule = async () => (await desk.get(`/v1/dashboard/inboxes/${inbox.id}/retention`)).days;
  const open = () => page.getByRole("button", { name: "How long Old letters keeps conversations" }).click();
  const form = page.getByRole("dialog", { name: "How long Old letters keeps conversations" });
  const save = form.getByRole("button", { name: "Save", exact: true });
  await page.goto("/settings/inboxes");
  await open();
  await form.getByText("All conversations are kept.").waitFor();
  const days = form.getByRole("textbox", { name: "Days" });
  await days.fill("never");
  await save.click();
  await form.getByText("Must be a whole number from 1 to 36500, or empty.").waitFor();
  await days.fill("365");
  await form.getByText("This deletes no conversation now.").waitFor();
  await save.click();
  await form.getByText("Confirm below first.").waitFor();
  await form.getByRole("checkbox").check();
  await save.click();
  await form.waitFor({ state: "detached" });
  assert.equal(await rule(), 365);
  await open();
  await days.fill("");
  await save.click();
  await form.waitFor({ state: "detached" });
  assert.equal(await rule(), null);
});

scene("the workspace's name changes for every viewer", async ({ page, visit, token }) => {
  const { name } = (await desk.get("/v1/dashboard/session")).workspace;
  const watcher = await (await visit({ token })).newPage();
  await watcher.goto("/contacts");
  const side = watcher.getByRole("complementary", { name: "Navigation" });
  await side.getByText(name).waitFor();
  await page.goto("/settings/workspace");
  await page.getByRole("textbox", { name: "Workspace name" }).fill("Southwind");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await side.getByText("Southwind").waitFor();
});

scene("a new password ends every other session and keeps this one", { allow: [/Failed to load resource.*40[01]/] }, async ({ visit }) => {
  const paul = { email: "paul.password@example.org", name: "Paul", password: "the first password" };
  const sessions = [await join(paul), await signIn(server.origin, paul.email, paul.password)];
  const page = await (await visit({ token: sessions[0] })).newPage();
  const other = await (await visit({ token: sessions[1] })).newPage();
  await other.goto("/contacts");
  await other.getByRole("heading", { level: 1, name: "Contacts" }).waitFor();
  await page.goto("/settings/profile");
  const set = async (current, next) => {
    await page.getByLabel("Current password").fill(current);
    await page.getByLabel("New password", { exact: true }).fill(next);
    await page.getByLabel("Repeat new password").fill(next);
    await page.getByRole("button", { name: "Change the password" }).click();
  };
  await set("not the password", "the second password");
  await page.getByText(/Must be your password/).waitFor();
  await set("the first password", "the second password");
  await page.getByText("Password changed").waitFor();
  await other.getByRole("heading", { name: "Sign in" }).waitFor();
  await page.reload();
  await page.getByRole("heading", { level: 1, name: "Your profile" }).waitFor();
});

scene("removing a member asks about the keys that the member created", async ({ page }) => {
  const kay = client(server.origin, as(await join({ email: "kay.keys@example.org", name: "Kay Keys", role: "admin" })));
  const make = async (name) => (await kay.post("/v1/dashboard/keys", { name, scopes: ["products:read"] })).key;
  const [leaking, staying] = [await make("Leaking"), await make("Staying")];
  await page.goto("/settings/members");
  await page.getByRole("button", { name: "More about Kay Keys" }).click();
  await page.getByRole("menuitem", { name: /Remove from the workspace/ }).click();
  const dialog = page.getByRole("dialog", { name: "Remove Kay Keys?" });
  assert.ok(await dialog.getByRole("checkbox", { name: "Revoke Leaking" }).isChecked());
  await dialog.getByRole("checkbox", { name: "Revoke Staying" }).uncheck();
  const nobodys = dialog
    .getByRole("group", { name: /whose creator is unknown/ })
    .getByRole("checkbox")
    .first();
  assert.equal(await nobodys.isChecked(), false);
  await dialog.getByRole("button", { name: "Remove member" }).click();
  await dialog.waitFor({ state: "detached" });
  const status = (key) =>
    client(server.origin, { Authorization: `Bearer ${key}` })
      .get("/v1/public/products")
      .then(
        () => 200,
        (error) => error.status,
      );
  await until("the end of the key", async () => (await status(leaking)) === 401);
  assert.equal(await status(staying), 200);
  await page.goto("/settings/keys");
  await page
    .getByRole("list", { name: "API keys" })
    .getByText(/created by Kay Keys/)
    .waitFor();
});

scene("an admin enters a model's server, reads why its test failed, and tells the agent of a product what to say", { allow: [/Failed to load resource.*400/] }, async ({ page }) => {
  await page.goto("/settings/models");
  await page.getByRole("button", { name: "New provider" }).click();
  const form = page.getByRole("dialog", { name: "New provider" });
  await form.getByRole("textbox", { name: "Name" }).fill("Local");
  await form.getByRole("textbox", { name: "Address" }).fill("http://127.0.0.1:9/v1");
  await form.getByLabel("Key").fill("sk-secret-of-the-scene");
  await form.getByRole("textbox", { name: "Model", exact: true }).fill("large");
  await form.getByRole("textbox", { name: "Price of a million tokens sent" }).fill("a lot");
  await form.getByRole("button", { name: "Create and test" }).click();
  await form.getByText("Enter an amount such as 2.50.").waitFor();
  await form.getByRole("textbox", { name: "Price of a million tokens sent" }).fill("2,50");
  await form.getByRole("button", { name: "Create and test" }).click();
  const row = page.getByRole("list", { name: "Providers" }).getByRole("listitem");
  await row.getByText(/could not be reached at a public address/).waitFor();
  await row.getByText("Main", { exact: true }).waitFor();
  assert.ok(!(await page.content()).includes("sk-secret-of-the-scene"), "the key stays in the page");
  const { data } = await desk.get("/v1/dashboard/model-providers");
  assert.equal(data[0].inputPrice, 2_500_000);
  const products = page.getByRole("list", { name: "Products" });
  await products
    .getByRole("button", { name: /^Edit the agent of / })
    .first()
    .click();
  const agent = page.getByRole("dialog", { name: /^The agent of / });
  await agent.getByRole("textbox", { name: "Allowed links" }).fill("https://shop.example");
  await agent.getByRole("button", { name: "Save", exact: true }).click();
  await agent.getByText(/hosts such as shop\.example/).waitFor();
  await agent.getByRole("textbox", { name: "Allowed links" }).fill("shop.example *.help.example");
  await agent.getByRole("textbox", { name: "Tone" }).fill("warm");
  await agent.getByRole("button", { name: "Save", exact: true }).click();
  await agent.waitFor({ state: "detached" });
  await row.getByRole("button", { name: "Change Local" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("dialog", { name: "Delete Local?" }).getByRole("button", { name: "Delete provider" }).click();
  await page.getByText("No providers yet").waitFor();
});

scene("an admin sees what the agent would have done about past questions, and what a new article changes", async ({ page }) => {
  const product = (await desk.post("/v1/dashboard/products", { name: "Rain barrels" })).id;
  const contact = (await api.post("/v1/public/contacts", { name: "Bea Barrel" })).id;
  const asked = async (content, answer) => {
    const conversation = (await api.post("/v1/public/conversations", { contactId: contact, productId: product })).id;
    await api.post(`/v1/public/conversations/${conversation}/messages`, { content, role: "incoming" });
    if (answer) await api.post(`/v1/public/conversations/${conversation}/messages`, { content: answer, role: "outgoing", agentUserId: me });
    return conversation;
  };
  const me = (await desk.get("/v1/dashboard/session")).member.id;
  await asked("I want to talk to a human");
  const barrel = await asked("how do I clean the frobnicator of my barrel?", "With vinegar.");
  await page.goto("/settings/simulation");
  await page.getByRole("combobox", { name: "Product" }).selectOption("Rain barrels");
  await page.getByRole("button", { name: "Start" }).click();
  await page.getByText("2 questions", { exact: true }).waitFor();
  const rows = page.getByRole("list", { name: "Results" }).getByRole("listitem");
  const row = rows.filter({ hasText: "frobnicator" });
  await row.getByText("Hands over", { exact: true }).waitFor();
  await row.getByText("No article is likely to answer.").waitFor();
  await row.getByText("With vinegar.").waitFor();
  await rows.getByText("The customer asks for a person.").waitFor();
  const article = await api.post("/v1/public/articles", { productId: product, language: "en", title: "Clean the frobnicator of a barrel", body: "Use vinegar." });
  await api.post(`/v1/public/articles/${article.id}/publish`, {});
  await page.getByRole("button", { name: "Start" }).click();
  await row.getByText("Shows articles", { exact: true }).waitFor();
  await row.getByText("Helped only now", { exact: true }).waitFor();
  await row.getByRole("link", { name: "Clean the frobnicator of a barrel" }).waitFor();
  await page.getByText(/^Compared with .*: 2 of the same questions/).waitFor();
  await page.getByRole("radio", { name: "Changed" }).check();
  await until("the filter", async () => (await rows.filter({ hasText: "person" }).count()) === 0);
  assert.equal((await api.get(`/v1/public/conversations/${barrel}/messages?limit=10`)).data.length, 2);
  await page.getByRole("radio", { name: "With the model" }).check();
  await page.getByRole("textbox", { name: "Most tokens" }).fill("none");
  await page.getByRole("button", { name: "Start" }).click();
  await page.getByText("Enter a whole number up to 10,000,000.").waitFor();
  await page.getByRole("textbox", { name: "Most tokens" }).fill("1000");
  await page.getByRole("button", { name: "Start" }).click();
  await row.getByText("The product has no model.").waitFor();
  await row.getByRole("link", { name: "Open the conversation" }).click();
  await page.waitForURL(`**/inbox/${barrel}*`);
});
