// axe-core finds nothing, on any page, in either theme, on a desktop and on a phone.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { openSuite, short, until } from "./start.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const { scene, api, desk, token: owner } = await openSuite();

const [open] = (await api.get("/v1/public/conversations?status=open&limit=1")).data;
const [contact] = (await api.get("/v1/public/contacts?limit=1")).data;
const web = (await desk.get("/v1/dashboard/state")).inboxes.find(({ channelType }) => channelType === "web");
const [company] = (await api.get("/v1/public/companies?limit=1")).data;
const { link } = await desk.post("/v1/dashboard/invitations", { email: "axe@example.org", role: "agent" });
await desk.post("/v1/dashboard/canned-answers", { shortcut: "axe-hello", content: "Hello {{first_name}}, how can I help?" });
await api.post(`/v1/public/conversations/${open.id}/messages`, { content: "A note for us", isPrivate: true });
await api.post(`/v1/public/conversations/${open.id}/messages`, { content: "See https://example.org/help", role: "incoming" });
await api.patch(`/v1/public/conversations/${open.id}`, { priority: "urgent", labels: ["refund", "bug"] });
await api.patch(`/v1/public/contacts/${contact.id}`, { customAttributes: { plan: "gold", trial: true, seats: 4 }, companyId: company.id });

const article = await api.post("/v1/public/articles", {
  language: "en",
  title: "Return a parcel",
  description: "How to send it back.",
  body: "## Steps\n\n1. Pack it.\n\n| a | b |\n|---|---|\n| `c` | d |",
  keywords: ["money back"],
});
await api.post(`/v1/public/articles/${article.id}/publish`);
await api.put(`/v1/public/articles/${article.id}/texts/en`, { title: "Return a parcel or two" });

const [product] = (await api.get("/v1/public/products?limit=1")).data;
await desk.patch(`/v1/dashboard/products/${product.id}/agent`, { mode: "cards" });
const asked = await api.post("/v1/public/conversations", { contactId: contact.id, productId: product.id });
await api.post(`/v1/public/conversations/${asked.id}/messages`, { content: "Do you sell kayaks?", role: "incoming" });
// What a member did not find is a gap once the member looks for something else.
for (const q of ["submarine", "helicopter"]) await desk.get(`/v1/dashboard/conversations/${open.id}/articles?language=en&q=${q}`);

const settings = [
  "profile",
  "notifications",
  "canned-answers",
  "labels",
  "article-categories",
  "workspace",
  "members",
  "teams",
  "mail",
  "products",
  "inboxes",
  "help-centers",
  "numbers",
  "models",
  "simulation",
  "keys",
  "identity",
  "audit",
];
const card = (page) => page.getByRole("complementary", { name: "Contact" });
/** Each page: its address, what shows that it is complete, and optionally a step before axe runs. */
const pages = [
  { path: "/signin", token: "", ready: (page) => page.getByRole("button", { name: "Sign in" }) },
  { path: link, token: "", ready: (page) => page.getByRole("button", { name: "Join" }) },
  { path: "/invite#gone", token: "", ready: (page) => page.getByRole("heading", { name: /no longer works/ }) },
  { path: `/inbox/${open.id}?status=open`, ready: (page) => page.getByRole("article").first() },
  {
    path: `/inbox/${open.id}?status=open`,
    name: "the search in it",
    ready: (page) => page.getByRole("article").first(),
    act: (page) => page.keyboard.press("Control+Shift+f"),
    then: (page) => page.getByRole("searchbox", { name: "Search in the conversation" }),
  },
  { path: "/inbox?status=open", ready: (page) => page.getByRole("list", { name: "All open" }).getByRole("listitem").first() },
  {
    path: "/inbox?status=open",
    name: "a selection",
    ready: (page) => page.getByRole("list", { name: "All open" }).getByRole("listitem").first(),
    act: (page) => page.keyboard.press("x"),
    then: (page) => page.getByRole("toolbar", { name: "Selection" }),
  },
  {
    path: `/inbox/${open.id}?status=open`,
    name: "the times to snooze until",
    ready: (page) => page.getByRole("article").first(),
    act: (page) => page.keyboard.press("b"),
    then: (page) => page.getByRole("dialog", { name: "Snooze until" }).getByRole("textbox"),
  },
  { path: "/inbox?status=open&label=nobody-has-this", ready: (page) => page.getByRole("region", { name: "Conversations" }).getByRole("heading").nth(1) },
  { path: "/inbox/no-such-conversation", ready: (page) => page.getByText("Conversation not found") },
  { path: `/print/${open.id}`, ready: (page) => page.getByRole("heading", { level: 1 }) },
  { path: "/search?q=order", ready: (page) => page.getByRole("list", { name: "Found" }) },
  { path: "/search", ready: (page) => page.getByText("What are you looking for?") },
  { path: "/contacts", ready: (page) => page.getByRole("list", { name: "Contacts" }).getByRole("listitem").first() },
  { path: `/contacts/${contact.id}`, ready: (page) => page.getByText(contact.id) },
  { path: "/companies", ready: (page) => page.getByRole("list", { name: "Companies" }).getByRole("listitem").first() },
  { path: `/companies/${company.id}`, ready: (page) => page.getByText(company.id) },
  {
    path: "/settings",
    ready: (page) =>
      page
        .getByRole("navigation", { name: "Settings" })
        .or(page.getByRole("heading", { level: 1 }))
        .first(),
  },
  ...settings.map((name) => ({ path: `/settings/${name}`, ready: (page) => page.locator("main").getByRole("heading", { level: 1 }) })),
  { path: "/welcome", ready: (page) => page.getByRole("heading", { name: "Set up your workspace", level: 1 }) },
  { path: `/settings/inboxes/${web.id}/texts`, ready: (page) => page.getByRole("form", { name: "The texts" }) },
  { path: `/settings/inboxes/${web.id}/hours`, ready: (page) => page.getByLabel("Monday") },
  { path: "/articles", ready: (page) => page.getByRole("list", { name: "Articles" }).getByRole("listitem").first() },
  { path: `/articles/${article.id}/en`, ready: (page) => page.getByText("Saved", { exact: true }) },
  ...["Details", "Versions"].map((name) => ({
    path: `/articles/${article.id}/en`,
    name,
    ready: (page) => page.getByText("Saved", { exact: true }),
    act: (page) => page.getByRole("tab", { name }).click(),
    then: (page) => page.getByText(name === "Details" ? "Words customers use" : /^Version \d/).first(),
  })),
  { path: "/articles/gaps", ready: (page) => page.getByRole("list", { name: "Gaps" }).getByText("submarine") },
  { path: "/articles/no-such-article/en", ready: (page) => page.getByRole("heading", { name: "Article not found", level: 1 }) },
  { path: "/reports", ready: (page) => page.getByRole("region", { name: "All numbers" }) },
  { path: "/reports/agent", ready: (page) => page.getByRole("region", { name: "All costs" }) },
  { path: "/reports?by=product", ready: (page) => page.getByRole("region", { name: "All numbers" }) },
  { path: "/phone", ready: (page) => page.getByRole("region", { name: /The company's phone/ }) },
  {
    path: "/phone",
    name: "a chat",
    ready: (page) => page.getByRole("region", { name: /The company's phone/ }),
    act: (page) => page.getByRole("button", { name: "Write to the company" }).first().click(),
    then: (page) => page.getByRole("textbox", { name: "Message", exact: true }),
  },
  { path: "/styleguide", ready: (page) => page.getByRole("heading", { level: 1 }) },
  { path: "/contacts/no/such/page", ready: (page) => page.getByText("Page not found") },
  {
    path: "/contacts",
    name: "a dialog",
    ready: (page) => page.getByRole("button", { name: "New contact" }),
    act: (page) => page.getByRole("button", { name: "New contact" }).click(),
    then: (page) => page.getByRole("dialog"),
  },
  {
    path: `/contacts/${contact.id}`,
    name: "an erasure",
    ready: (page) => page.getByText(contact.id),
    act: async (page) => {
      await page.getByRole("button", { name: "More about this contact" }).click();
      await page.getByRole("menuitem", { name: "Erase this person …" }).click();
    },
    then: (page) => page.getByRole("dialog", { name: /^Erase/ }).getByRole("checkbox"),
  },
  {
    path: "/contacts",
    name: "the palette",
    ready: (page) => page.getByRole("button", { name: "New contact" }),
    act: (page) => page.keyboard.press("Control+k"),
    then: (page) => page.getByRole("dialog").getByRole("option").first(),
  },
  {
    path: `/inbox/${open.id}?status=open`,
    name: "a picker",
    ready: (page) => page.getByRole("article").first(),
    act: (page) => page.keyboard.press("a"),
    then: (page) => page.getByRole("option").first(),
  },
  {
    path: `/inbox/${open.id}?status=open`,
    name: "the contact",
    ready: (page) => page.getByRole("article").first(),
    act: async (page) => page.viewportSize().width > 1000 || page.keyboard.press("d"), // a wide window shows it at once
    then: card,
  },
];

/** `rules` are the rules to check, all of them by default. */
async function check(page, where, rules) {
  const found = await page.evaluate(async (only) => {
    // What moves must have ended.
    const frame = () => new Promise((drawn) => requestAnimationFrame(drawn));
    const moves = () => document.getAnimations().some((animation) => animation.effect.getComputedTiming().iterations !== Infinity);
    for (let still = 0; still < 3; still = moves() ? 0 : still + 1) await frame();
    const { violations } = await window.axe.run(document, { resultTypes: ["violations"], ...(only && { runOnly: only }) });
    return violations.flatMap(({ id, help, nodes }) => nodes.map((node) => `${id} (${help}): ${node.target.join(" ")} ${node.html.slice(0, 150)} ${node.any[0]?.message ?? ""}`));
  }, rules);
  for (const fault of found) problems.push(`${where}: ${fault}`);
}
const problems = [];

/** Tells whether a transition runs within the next two frames. */
async function changes() {
  const frame = () => new Promise((drawn) => requestAnimationFrame(drawn));
  const runs = () => document.getAnimations().some((animation) => animation instanceof CSSTransition);
  return runs() || (await frame(), runs()) || (await frame(), runs());
}

const sizes = [
  { name: "1280x800", viewport: { width: 1280, height: 800 } },
  { name: "390x844", viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
];
for (const { name, ...size } of sizes) {
  // Nothing runs in the frame of a preview, and neither does axe.
  scene(`axe finds nothing at ${name}`, { ...size, allow: [/Failed to load resource.*40[014]/, /Blocked script execution in 'about:srcdoc'/], token: "" }, async ({ visit }) => {
    problems.length = 0;
    const open = async (token) => {
      const context = await visit({ token });
      await context.addInitScript({ content: axe });
      return context.newPage();
    };
    const guest = await open("");
    const member = await open(owner);
    for (const { path, token, ready, act, then, name: what = "" } of pages) {
      const page = token === "" ? guest : member;
      await page.emulateMedia({ colorScheme: "light" });
      // A member moves from page to page. A guest, or a member who left something open, loads each page from scratch.
      // The phones are a page of their own.
      const leaves = [path, new URL(page.url()).pathname].some((at) => at.startsWith("/phone"));
      if (page === guest || act || leaves || page.url() === "about:blank") {
        await page.goto("about:blank"); // an address that differs only in its # is loaded from scratch too
        await page.goto(path);
      } else {
        await page.evaluate((to) => history.pushState(null, "", to), path);
      }
      await ready(page).waitFor({ state: size.isMobile ? "attached" : "visible" });
      // The style guide always shows such a state.
      if (path !== "/styleguide") await until(`${path} is complete`, async () => (await page.locator("main [aria-busy=true], main [role=status]:text-is('Loading …')").count()) === 0);
      if (act) {
        await act(page);
        await then(page).waitFor();
      }
      const where = `${path.replace(/#.+/, "")} ${what} ${name}`;
      // The short form checks one theme of each size.
      if (!short || !size.isMobile) await check(page, `${where} light`);
      await page.emulateMedia({ colorScheme: "dark" });
      if (await page.evaluate(changes)) problems.push(`${where}: colours change step by step, though motion is reduced`);
      // A theme only changes colours.
      if (!short) await check(page, `${where} dark`, ["color-contrast", "link-in-text-block"]);
      else if (size.isMobile) await check(page, `${where} dark`);
      if (await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)) problems.push(`${where}: wider than the window`);
    }
    assert.deepEqual([...new Set(problems)], []);
  });
}

scene("axe finds a fault if there is one", async ({ page, context }) => {
  await context.addInitScript({ content: axe });
  await page.goto("/styleguide");
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.evaluate(() => document.querySelector("main").append(document.createElement("img")));
  problems.length = 0;
  await check(page, "here");
  assert.ok(
    problems.some((fault) => fault.includes("image-alt")),
    problems.join(),
  );
});
