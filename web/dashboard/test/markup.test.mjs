// Text from customers and programs is shown as text, on every page.
import assert from "node:assert/strict";
import { openSuite, short, until } from "./start.mjs";
import { payloads } from "./payloads.mjs";

const { scene, api, desk } = await openSuite();

assert.ok(payloads.length >= 100 && new Set(payloads).size === payloads.length, `${payloads.length} payloads`);

/** Does the work for all items, eight at a time. */
async function all(items, work) {
  const answers = new Array(items.length);
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const index = next++;
      answers[index] = await work(items[index], index);
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  return answers;
}

/** The API may refuse a text (400), which keeps it out of the pages too, or a name that already exists (409). */
const unlessRefused = (asked) =>
  asked.catch((error) => {
    if (error.status !== 400 && error.status !== 409) throw error;
    return null;
  });

const planted = await plant();

async function plant() {
  const companies = await all(payloads, (text, n) => unlessRefused(api.post("/v1/public/companies", { name: text, industry: text, notes: text, externalId: `planted-${n}` })));
  const attributes = (text) => ({ [`note`]: text, ...(text.length <= 40 && { [text]: text }), nested: { deep: [text] } });
  const contacts = await all(payloads, async (text, n) => {
    const contact = await unlessRefused(api.post("/v1/public/contacts", { name: text, shopName: text, identifier: `planted-${n}` }));
    if (!contact) return null;
    await unlessRefused(api.patch(`/v1/public/contacts/${contact.id}`, { customAttributes: attributes(text) }));
    if (companies[n]) await api.patch(`/v1/public/contacts/${contact.id}`, { companyId: companies[n].id });
    return contact;
  });
  const conversations = await all(payloads, async (text, n) => {
    if (!contacts[n]) return null;
    const made = await unlessRefused(api.post("/v1/public/conversations", { contactId: contacts[n].id, customAttributes: attributes(text) }));
    if (!made) return null;
    const path = `/v1/public/conversations/${made.id}`;
    await unlessRefused(api.patch(path, { labels: [text.slice(0, 60)] }));
    await unlessRefused(api.post(`${path}/messages`, { content: text, role: "incoming" }));
    await unlessRefused(api.post(`${path}/messages`, { content: text, role: "incoming", contentType: "markdown" }));
    return made;
  });
  // One conversation with everything in it.
  const everything = conversations.find(Boolean);
  for (const content of payloads) await api.post(`/v1/public/conversations/${everything.id}/messages`, { content, role: "incoming", contentType: "markdown" });
  await all(payloads, (text, n) => unlessRefused(desk.post("/v1/dashboard/canned-answers", { shortcut: `planted-${n}`, content: text })));
  await all(payloads, (text) => unlessRefused(desk.post("/v1/dashboard/labels", { name: text, color: "red" })));
  await all(payloads.slice(0, 40), (text) => unlessRefused(desk.post("/v1/dashboard/products", { name: text, description: text })));
  await all(payloads.slice(0, 40), (text) => unlessRefused(desk.post("/v1/dashboard/inboxes", { name: text, channelType: "api" })));
  await all(payloads.slice(0, 40), (text) => unlessRefused(desk.post("/v1/dashboard/keys", { name: text, scopes: ["contacts:read"] })));
  return { companies, contacts, conversations, everything };
}

/** Fails if a text has turned into markup. */
async function clean(page, where) {
  const found = await page.evaluate(() => {
    const faults = [];
    for (const element of document.querySelectorAll(
      ".planted, iframe, object, embed, base, marquee, math, template, form[action], foreignObject, animate, body script, [onerror], [onload], [onfocus], [onclick], [onmouseover], [ontoggle]",
    )) {
      faults.push(element.outerHTML.slice(0, 120));
    }
    for (const element of document.querySelectorAll("[href], [src], [action], [formaction], [*|href]")) {
      for (const name of ["href", "src", "action", "formaction", "xlink:href"]) {
        const value = element.getAttribute(name);
        if (value === null || (element.tagName === "use" && value.startsWith("#"))) continue;
        if (element.matches("link[rel=icon]") && value.startsWith("data:image/svg+xml,")) continue; // the icon with its count, which contains no texts
        let protocol;
        try {
          protocol = new URL(value, location.href).protocol;
        } catch {
          continue; // no address
        }
        if (!["http:", "https:", "mailto:", "tel:"].includes(protocol)) faults.push(`${name}=${value}`);
        else if (new URL(value, location.href).host === "evil.example") faults.push(`${name}=${value}`);
      }
    }
    if ({}.polluted !== undefined) faults.push("a prototype has changed");
    if (document.documentElement.scrollWidth > window.innerWidth) faults.push(`the page is ${document.documentElement.scrollWidth} px wide`);
    return faults;
  });
  assert.deepEqual(found, [], where);
}

scene(`${payloads.length} texts in a conversation stay text`, async ({ page }) => {
  await page.goto(`/inbox/${planted.everything.id}`);
  const log = page.getByRole("article");
  await log.first().waitFor();
  // Scrolling up loads older messages.
  await until("all messages", async () => {
    await log.first().scrollIntoViewIfNeeded();
    return (await log.count()) >= payloads.length + 2;
  });
  const shown = await page.evaluate(() => [...document.querySelectorAll("article")].map((article) => article.textContent));
  const flat = (text) => text.replace(/\s+/g, " ").trim();
  const missing = payloads.filter((text) => !shown.some((article) => flat(article).includes(flat(text))));
  assert.deepEqual(missing, [], "shown as they are");
  await clean(page, "conversation");
  for (const link of await log.getByRole("link").all()) {
    assert.match(await link.getAttribute("href"), /^(https?:\/\/|mailto:)/);
    assert.match(await link.getAttribute("rel"), /noopener/);
  }
});

scene("what the team writes has markup, and nothing else", async ({ page }) => {
  const { id } = planted.conversations.findLast(Boolean);
  const path = `/v1/public/conversations/${id}/messages`;
  const marked = ["Hello **bold** and `code` and [our page](https://shop.example/a)", "- one\n- *two*", "> said", "```\n<b>x</b>\n```", "[x](javascript:alert(1))"];
  for (const content of [...payloads.filter((_, n) => n % 3 === 0).flatMap((text) => [`**${text}**`, `> ${text}`, `[${text}](${text})`]), ...marked]) {
    await unlessRefused(api.post(path, { content, role: "outgoing", contentType: "markdown" }));
  }
  await api.post(path, { content: Array.from({ length: 60 }, (_, n) => `line ${n}`).join("\n"), role: "incoming" });
  await page.goto(`/inbox/${id}`);
  const last = page.getByRole("article").last();
  await last.getByText("line 39").waitFor();
  assert.equal(await last.getByText("line 59").count(), 0, "a long message is folded");
  await last.getByRole("button", { name: /Show all/ }).click();
  await last.getByText("line 59").waitFor();
  await clean(page, "the team's markup");
  const shown = page.getByRole("article").filter({ hasText: "our page" }).last();
  assert.equal(await shown.locator("strong", { hasText: "bold" }).count(), 1);
  assert.equal(await shown.getByRole("link").getAttribute("href"), "https://shop.example/a");
  const item = page.locator("article li", { hasText: "two" });
  assert.equal(await item.locator("em").count(), 1);
  assert.equal(await item.evaluate((element) => getComputedStyle(element).listStyleType), "disc", "an item shows its mark");
  assert.equal(await page.locator("article pre", { hasText: "<b>x</b>" }).count(), 1);
  assert.equal(await page.getByRole("article").filter({ hasText: "[x](javascript:alert(1))" }).getByRole("link").count(), 0);
  // What is typed with markup is sent with it.
  await page.getByRole("textbox", { name: "Reply" }).fill("that is **sent**");
  await page.keyboard.press("Control+Enter");
  await page.locator("article strong", { hasText: "sent" }).waitFor();
  await until("the message is stored as markup", async () => (await api.get(`${path}?order=desc&limit=1`)).data[0]?.contentType === "markdown");
});

scene("names, attributes and labels stay text in every conversation", async ({ page }) => {
  const all = planted.conversations.flatMap((conversation, n) => (conversation ? [{ conversation, text: payloads[n] }] : []));
  assert.ok(all.length > 80, `only ${all.length} conversations`);
  const made = all.filter((_, n) => !short || n % 3 === 0);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto("/inbox");
  for (const { conversation, text } of made) {
    await page.evaluate((id) => {
      history.pushState(null, "", `/inbox/${id}`);
    }, conversation.id);
    await page.locator("article").first().waitFor();
    const pane = page.getByRole("complementary", { name: "Contact" });
    await pane.getByText("Attributes of the contact").waitFor();
    const flat = (value) => value.replace(/\s+/g, " ").trim();
    const heading = flat(await pane.getByRole("heading", { level: 2 }).evaluate((element) => element.textContent));
    assert.equal(heading, flat(text), "the name is shown as it is");
    await clean(page, text);
  }
});

scene("the lists and the settings stay text", async ({ page }) => {
  const pages = [
    "/inbox",
    "/contacts",
    "/companies",
    "/search?q=alert",
    "/search?q=script&kind=contact",
    "/search?q=planted&kind=company",
    "/settings/labels",
    "/settings/canned-answers",
    "/settings/products",
    "/settings/inboxes",
    "/settings/keys",
    "/reports?by=product",
    "/reports?by=inbox",
    "/reports?by=company",
  ];
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 });
    for (const path of pages) {
      await page.goto(path);
      await page
        .getByText(/<script|alert/)
        .first()
        .waitFor({ state: "attached" });
      await clean(page, `${path} at ${width}`);
    }
  }
});

scene("the pages of contacts and companies stay text", async ({ page }) => {
  await page.goto("/contacts");
  const some = payloads.map((text, n) => ({ text, contact: planted.contacts[n], company: planted.companies[n] })).filter(({ contact, company }) => contact && company);
  for (const { text, contact, company } of some.filter((_, n) => n % (short ? 8 : 4) === 0)) {
    for (const [path, id] of [
      ["/contacts", contact.id],
      ["/companies", company.id],
    ]) {
      await page.evaluate((to) => history.pushState(null, "", to), `${path}/${id}`);
      await page.getByText(id).waitFor();
      await clean(page, `${path}: ${text}`);
    }
  }
});

scene("palette, pickers and dialogs show the same texts as text", async ({ page }) => {
  await page.goto(`/inbox/${planted.everything.id}`);
  await page.getByRole("article").first().waitFor();
  for (const key of ["p", "a", "l", "s"]) {
    await page.keyboard.press(key);
    await page.getByRole("option").first().waitFor();
    await clean(page, key);
    await page.keyboard.press("Escape");
    await page.getByRole("listbox").waitFor({ state: "detached" });
  }
  await page.keyboard.press("r");
  await page.getByRole("textbox", { name: "Reply" }).fill("/planted");
  await page.getByRole("option").first().waitFor();
  await clean(page, "canned answers");
  await page.getByRole("textbox", { name: "Reply" }).fill("");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("alert");
  await page
    .getByRole("option", { name: /alert\(1\)/ })
    .first()
    .waitFor();
  await clean(page, "palette");
});
