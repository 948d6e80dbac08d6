// Articles: written by keyboard with a picture and a translation, published,
// shown live to others; hostile text stays text; of two editors' texts none is
// lost, nor is one that was written without a network.
import assert from "node:assert/strict";
import { payloads } from "./payloads.mjs";
import { lost } from "./sending.mjs";
import { as, client, openSuite, until } from "./start.mjs";

const { scene, api, join, server } = await openSuite();
const [product] = (await api.get("/v1/public/products")).data;
// The demo's articles, categories and help centers would be in the way.
for (const [list, key] of [
  ["articles", "id"],
  ["article-categories", "id"],
  ["help-centers", "productId"],
]) {
  const { data } = await api.get(`/v1/public/${list}?limit=200`);
  await Promise.all(data.map((one) => api.delete(`/v1/public/${list}/${one[key]}`)));
}
const bo = await join({ email: "bo@example.org", name: "Bo Byline" });

const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
const body = (page) => page.getByRole("textbox", { name: "Text in Markdown" });
const title = (page) => page.getByRole("textbox", { name: "Title" });
const saved = (page) => page.locator("header").getByText("Saved", { exact: true }).waitFor();
const rows = (page) => page.getByRole("list", { name: "Articles" }).getByRole("listitem");
const preview = (page) => page.frameLocator("iframe[title=Preview]").locator("body");
const conflict = (page) => page.getByRole("alert", { name: "Two texts" });

/** An article with a text in English. */
const write = (text, more = {}) => api.post("/v1/public/articles", { language: "en", title: text, body: `${text}.`, ...more });
const textOf = ({ id }, language = "en") => api.get(`/v1/public/articles/${id}/texts/${language}`);
async function open(page, { id }, language = "en") {
  await page.goto(`/articles/${id}/${language}`);
  await saved(page);
}

/** Gives the field a picture, as a user would. */
const paste = (field) =>
  field.evaluate((element, base64) => {
    const data = new DataTransfer();
    data.items.add(new File([Uint8Array.fromBase64?.(base64) ?? Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))], "return label.png", { type: "image/png" }));
    element.dispatchEvent(new ClipboardEvent("paste", { bubbles: true, cancelable: true, clipboardData: data }));
  }, pixel);

scene("an article is written, translated, published and found by keyboard", async ({ page, visit }) => {
  await page.goto("/inbox");
  const keys = async (...pressed) => {
    for (const key of pressed) await page.keyboard.press(key);
  };
  await page.getByRole("list").first().waitFor();
  await keys("g", "a");
  await page.getByRole("heading", { name: "Articles", level: 1 }).waitFor();
  const watcher = await (await visit({ token: bo })).newPage();
  await watcher.goto("/articles");
  await watcher.getByText("No articles yet").waitFor();

  await keys("Shift+N");
  await page.getByRole("dialog").getByRole("textbox", { name: "Title" }).waitFor();
  await page.keyboard.type("Return a parcel");
  await keys("Enter");
  // The caret is in the text.
  await body(page).waitFor();
  await until("the caret", () => body(page).evaluate((field) => field === document.activeElement));
  await page.keyboard.type("Send it back within ");
  await keys("Control+B");
  await page.keyboard.type("30 days");
  await keys("Control+B");
  await page.keyboard.type(".");
  await keys("Enter", "Enter");
  await page.keyboard.type("- Print the label");
  await keys("Enter");
  await page.keyboard.type("Drop it off");
  await keys("Enter", "Enter");
  await page.keyboard.type("see our terms");
  await keys("Shift+Home", "Control+K");
  await page.keyboard.type("https://shop.example/terms");
  assert.equal(await body(page).inputValue(), "Send it back within **30 days**.\n\n- Print the label\n- Drop it off\n[see our terms](https://shop.example/terms)");
  await keys("Control+Z");
  assert.notEqual(await body(page).inputValue(), "", "one step is undone, not all");
  await keys("Control+Shift+Z");
  await preview(page).getByRole("listitem").nth(1).waitFor();
  assert.equal(await preview(page).locator("strong").innerText(), "30 days");

  // A picture is uploaded where it was pasted.
  await keys("Control+End");
  await paste(body(page));
  await until("the picture", async () => /!\[return label\]\(\/help\/pictures\/[0-9a-f-]{36}\)/.test(await body(page).inputValue()));
  await preview(page).getByRole("img", { name: "return label" }).waitFor({ state: "attached" });
  await saved(page);

  // Everything about it follows at once in other windows.
  await rows(watcher)
    .getByRole("link", { name: /Return a parcel/ })
    .waitFor();
  await keys("Control+Enter");
  await page.getByText("English is published.").waitFor();
  await page.getByRole("link", { name: "English: published" }).waitFor();
  await rows(watcher).getByTitle("English: published").waitFor();

  await page.getByRole("button", { name: "Add language" }).click();
  await page.getByRole("combobox", { name: "Language" }).selectOption("de");
  await page.getByRole("dialog").getByRole("button", { name: "Add language" }).click();
  await page.waitForURL(/\/de$/);
  await saved(page);
  await title(page).fill("Ein Paket zurücksenden");
  await rows(watcher).getByTitle("German: draft").waitFor();
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await page.getByText("German is published.").waitFor();
  await body(page).fill("Geändert.");
  await page.getByText("Changes not published").waitFor();

  await page.goto("/articles");
  await rows(page).first().waitFor();
  await page.getByRole("combobox", { name: "State" }).selectOption("changed");
  await rows(page).first().waitFor();
  await page.getByRole("combobox", { name: "Missing translation" }).selectOption("de");
  await page.getByText("No article matches").waitFor();
  await page.getByRole("button", { name: "Show all articles" }).click();
  await page.getByRole("searchbox", { name: "Search articles" }).fill("zurück parcel");
  await rows(page).first().waitFor();
  await keys("Escape", "Tab");
  await page.evaluate(() => document.activeElement.blur());
  await keys("j", "Enter");
  await page.waitForURL(/\/articles\/[^/]+\/(en|de)$/);

  // Only the administrators of a workspace delete what is public; everybody may archive.
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Archive" }).click();
  await page.getByRole("button", { name: "Archive", exact: true }).click();
  await rows(watcher).getByText("Archived", { exact: true }).waitFor();
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Delete the article" }).click();
  await page.getByRole("button", { name: "Delete the article" }).click();
  await watcher.getByText("No articles yet").waitFor();
});

scene("hostile text is text, in the preview too", async ({ page }) => {
  const article = await write("Hostile", { description: payloads[0] });
  await open(page, article);
  await body(page).fill(payloads.map((text) => text.replaceAll("\n", " ")).join("\n\n"));
  await title(page).fill('"><img class=planted src=x onerror=alert(1)>');
  await page.getByRole("tab", { name: "Details" }).click();
  await page.getByRole("textbox", { name: "Words customers use" }).fill("<b class=planted>bold</b>");
  await page.keyboard.press("Enter");
  await saved(page);
  await page.getByRole("tab", { name: "Versions" }).click();
  await page
    .getByRole("button", { name: /^Compare version/ })
    .first()
    .click();
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("tab", { name: "Preview" }).click();
  await preview(page).getByText("alert(1)").first().waitFor();
  const planted = (scope) => scope.locator(".planted, script, iframe, object, embed, form, style:not(head style), [onerror], [onload]").count();
  assert.equal(await planted(preview(page)), 0);
  assert.equal(await page.locator(".planted").count(), 0);
  const odd = await preview(page).evaluate((element) =>
    [...element.querySelectorAll("a, img")].map((one) => one.getAttribute("href") ?? one.getAttribute("src") ?? "").filter((address) => /^\s*(?:javascript|data|vbscript):/i.test(address)),
  );
  assert.deepEqual(odd, []);
  await page.goto("/articles");
  await rows(page).first().waitFor();
  assert.equal(await page.locator(".planted").count(), 0);
});

scene("of the texts of two editors none is lost", { allow: [/40[49]|503/] }, async ({ page, visit }) => {
  const article = await write("Shared", { productId: product.id });
  const path = `/v1/public/articles/${article.id}/texts/en`;
  const other = client(server.origin, as(bo));
  await open(page, article);
  const second = await (await visit({ token: bo })).newPage();
  await open(second, article);

  // Without a change of one's own, the other's shows.
  await body(page).fill("Ann's first text.");
  await until("the other window", async () => (await body(second).inputValue()) === "Ann's first text.");

  // Both write at the same time.
  await Promise.all([body(page).fill("Ann's second text."), body(second).fill("Bo's text.")]);
  const [loser, winner] = await Promise.race([
    conflict(page)
      .waitFor()
      .then(() => [page, second]),
    conflict(second)
      .waitFor()
      .then(() => [second, page]),
  ]);
  const [mine, theirs] = loser === page ? ["Ann's second text.", "Bo's text."] : ["Bo's text.", "Ann's second text."];
  await conflict(loser)
    .getByText(loser === page ? "Bo Byline changed this text while you were writing." : "Ann Lindqvist changed this text while you were writing.")
    .waitFor();
  assert.equal(await body(loser).inputValue(), mine);
  await conflict(loser).getByRole("button", { name: "Compare" }).click();
  const dialog = loser.getByRole("dialog", { name: "The saved text and yours" });
  await dialog.getByText(mine).waitFor();
  await dialog.getByText(theirs).waitFor();
  await dialog.getByRole("button", { name: "Use theirs" }).click();
  await until("their text", async () => (await body(loser).inputValue()) === theirs);
  assert.equal((await textOf(article)).body, theirs);

  // The text that was put aside is used after all.
  await loser.getByRole("tab", { name: "Versions" }).click();
  await loser.getByRole("button", { name: "Compare the text that was put aside" }).click();
  await loser.getByRole("button", { name: "Use this text" }).click();
  await until("the put aside text", async () => (await textOf(article)).body === mine);
  await until("the other window", async () => (await body(winner).inputValue()) === mine);

  // Keeping one's own text makes the other one an earlier version, which can be restored.
  const { version } = await textOf(article);
  await page.route("**/texts/en", (route) => (route.request().method() === "PUT" ? route.fulfill({ status: 503, body: "{}" }) : route.continue()), { times: 1 });
  await body(page).fill("Ann's third text.");
  await fetch(server.origin + path, { method: "PUT", headers: { ...as(bo), "Content-Type": "application/json" }, body: JSON.stringify({ version, body: "Bo was faster." }) });
  await conflict(page).getByRole("button", { name: "Keep mine" }).click();
  await until("the kept text", async () => (await textOf(article)).body === "Ann's third text.");
  const { data } = await other.get(`${path}/versions`);
  assert.ok(data.some((one) => one.body === "Bo was faster." && one.author.name === "Bo Byline"));
  await page.getByRole("tab", { name: "Versions" }).click();
  await page
    .getByRole("listitem")
    .filter({ hasText: "Bo Byline" })
    .first()
    .getByRole("button", { name: /^Compare/ })
    .click();
  await page.getByRole("button", { name: "Restore this version" }).click();
  await until("the restored text", async () => (await textOf(article)).body === "Bo was faster.");

  // A text that somebody deletes stays for whoever writes it.
  await body(second).fill("What Bo still wrote.");
  await api.delete(`/v1/public/articles/${article.id}`);
  await second.getByRole("textbox", { name: "Your text" }).waitFor();
});

scene("a text survives a lost network, a reload and a crash of the server", { allow: [...lost, /50[03]/] }, async ({ page, context }) => {
  const article = await write("Offline");
  await open(page, article);
  await context.setOffline(true);
  await body(page).fill("Written on the train.");
  await page.getByText("Not saved. The text is kept in this browser until the connection is back.").waitFor();
  await context.setOffline(false);
  await saved(page);
  assert.equal((await textOf(article)).body, "Written on the train.");

  await server.crash();
  await body(page).fill("Written while the server was away.");
  await page.getByText("Not saved. The text is kept").waitFor();
  await page.close();
  await server.start();
  page = await context.newPage();
  await page.goto(`/articles/${article.id}/en`);
  await until("the text", async () => (await textOf(article)).body === "Written while the server was away.");
  assert.equal(await body(page).inputValue(), "Written while the server was away.");
});

scene("categories and a help center are set up, and agents may not do so", { allow: [/403/] }, async ({ page, visit }) => {
  await page.goto("/settings/article-categories");
  for (const name of ["Orders", "Returns"]) {
    await page.getByRole("button", { name: "New category" }).click();
    await page.getByRole("textbox", { name: "Name in English" }).fill(name);
    await page.keyboard.press("Enter");
    await page.getByRole("list", { name: "Article categories" }).getByText(name, { exact: true }).waitFor();
  }
  await page.getByRole("button", { name: "Move Returns up" }).click();
  await until("the order", async () => (await api.get("/v1/public/article-categories")).data.map(({ names }) => names.en).join() === "Returns,Orders");
  await page.goto("/settings/help-centers");
  await page.getByRole("button", { name: `Create the help center of ${product.name}` }).click();
  await page.getByRole("textbox", { name: "Address" }).fill("Our Help");
  await page.getByRole("button", { name: "Add language" }).click();
  await page.keyboard.type("German");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Make default: German" }).click();
  await page.getByRole("button", { name: "Create help center", exact: true }).click();
  await page.getByText("/help/our-help · German, English").waitFor();
  const [center] = (await api.get("/v1/public/help-centers")).data;
  assert.deepEqual([center.slug, center.languages, center.enabled], ["our-help", ["de", "en"], true]);
  const agent = await (await visit({ token: bo })).newPage();
  await agent.goto("/settings/help-centers");
  await agent.getByText("Only for admins").waitFor();
  const refused = await fetch(`${server.origin}/v1/public/help-centers/${product.id}`, { method: "PUT", headers: { ...as(bo), "Content-Type": "application/json" }, body: '{"title":"Mine"}' });
  assert.equal(refused.status, 403);
});

scene("in the inbox, articles that fit are beside the question, and one key inserts another", async ({ page, visit, token }) => {
  const center = await api.put(`/v1/public/help-centers/${product.id}`, { slug: "help", title: "Help", languages: ["en", "de"], enabled: true });
  const publish = async (name, content, german) => {
    const article = await api.post("/v1/public/articles", { language: "en", productId: product.id, title: name, ...content });
    if (german) await api.put(`/v1/public/articles/${article.id}/texts/de`, german);
    return api.post(`/v1/public/articles/${article.id}/publish`);
  };
  const back = await publish(
    "Return a parcel",
    { description: "How to send it back.", body: "Print **the label**.\n\n- Drop it off", keywords: ["send it back", "wrong size"] },
    { title: "Ein Paket zurücksenden", body: "Etikett drucken.", keywords: ["zurückschicken", "falsche Größe"] },
  );
  await publish("Delivery times", { body: "Two days. See [returns](return-a-parcel)." }, { title: "Lieferzeiten", body: "Zwei Tage.", keywords: ["wie lange dauert die Lieferung"] });
  await publish("<img class=planted src=x onerror=alert(1)>", { body: "Nothing.", keywords: ["planted"] });
  const talk = async (name, ...contents) => {
    const contact = await api.post("/v1/public/contacts", { name });
    const conversation = await api.post("/v1/public/conversations", { contactId: contact.id, productId: product.id });
    for (const content of contents) await api.post(`/v1/public/conversations/${conversation.id}/messages`, { content, role: "incoming" });
    return conversation;
  };
  const ann = await talk("Ann Asks", "Hello!", "It is the wrong size, how can I send it back?");
  const otto = await talk("Otto Fragt", "Das ist die falsche Größe, ich möchte es zurückschicken");
  const asked = [];
  page.on("request", (request) => /\/conversations\/[^/]+\/articles/.test(request.url()) && asked.push(request.url()));
  const fitting = page.getByRole("region", { name: "Articles that fit" });
  const reply = page.getByRole("textbox", { name: "Reply" });
  const finder = page.getByRole("dialog", { name: "Find an article" });
  const option = (name) => finder.getByRole("option", { name });
  const go = async ({ id }) => {
    await page.goto(`/inbox/${id}?status=open`);
    await reply.waitFor();
  };
  const link = `Return a parcel\n${server.origin}/help/${center.slug}/en/${back.slug}`;

  // What fits is beside the conversation; nothing is asked while the panel is closed.
  await go(ann);
  await fitting.getByText("How to send it back.").waitFor();
  assert.equal(await fitting.getByRole("listitem").count(), 1);
  await fitting.getByRole("button", { name: "Insert the link of Return a parcel" }).click();
  await until("the link", async () => (await reply.inputValue()) === link);
  await fitting.getByRole("button", { name: "Insert the text of Return a parcel" }).click();
  await until("the text", async () => (await reply.inputValue()) === `${link}\n\nPrint the label.\n\n- Drop it off`);
  await reply.fill("");
  await reply.blur();
  await page.keyboard.press("d");
  await fitting.waitFor({ state: "detached" });
  asked.length = 0;
  await page.getByRole("link", { name: /Otto Fragt/ }).click();
  await page.waitForURL(new RegExp(otto.id));
  await page.getByRole("article").getByText("falsche Größe").waitFor();
  await page.getByRole("link", { name: /Ann Asks/ }).click();
  await page.getByRole("article").getByText("wrong size").waitFor();
  assert.deepEqual(asked, []);
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("d");
  await fitting.waitFor();
  assert.deepEqual(asked, [], "an answer is asked for again");

  // The finder begins with the question, and inserts at the caret.
  await reply.fill("See: – bye");
  await reply.evaluate((box) => box.setSelectionRange(4, 4));
  await reply.blur();
  await page.keyboard.press("h");
  await option(/^Return a parcel/).waitFor();
  await page.keyboard.type("delivery");
  await page.keyboard.press("Enter");
  await finder.waitFor({ state: "detached" });
  await until("the link", async () => (await reply.inputValue()) === `See:\n\nDelivery times\n${server.origin}/help/help/en/delivery-times\n\n– bye`);
  await until("the caret", () => reply.evaluate((box) => box === document.activeElement && box.value.slice(box.selectionStart).trim() === "– bye"));
  await page.keyboard.press("Escape");
  await reply.fill("");
  await reply.blur();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("find an art");
  await page.getByRole("option", { name: /Find an article/ }).waitFor();
  await page.keyboard.press("Enter");
  await finder.waitFor();
  await page.keyboard.type("delivery times");
  await option(/^Delivery times/).waitFor();
  await finder.getByRole("combobox", { name: "Language" }).selectOption("de");
  await finder.getByRole("combobox", { name: "Find an article" }).fill("lieferzeiten");
  await option(/^Lieferzeiten/).waitFor();
  await finder.getByRole("combobox", { name: "Find an article" }).press("Alt+Enter");
  await until("the text", async () => (await reply.inputValue()) === "Zwei Tage.");
  await reply.fill("");
  await reply.blur();

  // Hostile titles are text; nothing is found without words; Escape changes nothing.
  await page.keyboard.press("h");
  await page.keyboard.type("planted");
  await option(/^<img class=planted/).waitFor();
  assert.equal(await page.locator(".planted").count(), 0);
  await finder.getByRole("combobox", { name: "Find an article" }).fill("zeppelin");
  await finder.getByText("No published article fits.").waitFor();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  await finder.waitFor({ state: "detached" });
  assert.equal(await reply.inputValue(), "");

  // The customer's language, and a new question.
  await go(otto);
  await fitting.getByText("Ein Paket zurücksenden").waitFor();
  await api.post(`/v1/public/conversations/${otto.id}/messages`, { content: "Ok.", role: "outgoing" });
  await api.post(`/v1/public/conversations/${otto.id}/messages`, { content: "Wie lange dauert die Lieferung?", role: "incoming" });
  await fitting.getByText("Lieferzeiten").waitFor();
  await fitting.getByText("Ein Paket zurücksenden").waitFor({ state: "detached" });

  // By touch, where no key chooses the text.
  const phone = await (await visit({ token, viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })).newPage();
  await phone.goto(`/inbox/${ann.id}?status=open`);
  await phone.getByRole("button", { name: "Find an article" }).tap();
  await phone.getByRole("option", { name: /^Return a parcel/ }).waitFor();
  await phone.getByRole("radio", { name: "Text" }).tap();
  await phone.getByRole("option", { name: /^Return a parcel/ }).tap();
  await until("the text", async () => (await phone.getByRole("textbox", { name: "Reply" }).inputValue()) === "Print the label.\n\n- Drop it off");
});
