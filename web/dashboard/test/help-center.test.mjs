// The public pages of articles: on a desktop and a phone, in light and dark, by keyboard, without any script.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { openSuite, until } from "./start.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const { scene, api, desk, server } = await openSuite();

const product = await desk.post("/v1/dashboard/products", { name: "Tents" });
await api.put(`/v1/public/help-centers/${product.id}`, { slug: "tents", title: "Tents help", languages: ["en", "de"], color: "#ffd400" });
const category = await api.post("/v1/public/article-categories", { productId: product.id, names: { en: "Care", de: "Pflege" } });

async function publish(title, body, german) {
  const article = await api.post("/v1/public/articles", { productId: product.id, categoryId: category.id, language: "en", title, description: `About: ${title}`, body });
  if (german) await api.put(`/v1/public/articles/${article.id}/texts/de`, { title: german, body: "Lauwarm, von Hand." });
  return api.post(`/v1/public/articles/${article.id}/publish`);
}
const everything = [
  "Intro with [a link](dry-a-tent), https://example.org/a and `code`.\n\n# By hand\n\n|Cloth|Water|\n|-|-:|\n|Cotton|30|\n|Nylon|20|\n\n## Soap\n\n1. one\n2. two\n   - nested",
  "> A quote\n\n```\na long line of code that has to wrap on a phone because nothing on the page scrolls sideways\n```\n\n# By machine\n\nDon’t. <script>document.title = 'run'</script>",
  `Averylongword${"very".repeat(40)}`,
].join("\n\n");
const wash = await publish("Wash a tent", everything, "Ein Zelt waschen");
await publish("Dry a tent", "In the shade.");

const home = "/help/tents/en";
const pages = [
  home,
  "/help/tents/de",
  `${home}/wash-a-tent`,
  `${home}/wash-a-tent?voted=yes`,
  "/help/tents/de/dry-a-tent",
  `${home}/category/${category.id}`,
  `${home}/search?q=soap`,
  `${home}/search?q=xylophone`,
  `${home}/missing`,
];

const sizes = [
  { name: "1280x800", viewport: { width: 1280, height: 800 } },
  { name: "360x740", viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
];
for (const { name, ...size } of sizes) {
  scene(`axe finds nothing in a help center at ${name}`, { ...size, token: "", allow: [/Failed to load resource.*404/] }, async ({ page, context }) => {
    await context.addInitScript({ content: axe });
    const problems = [];
    for (const path of pages) {
      for (const colorScheme of ["light", "dark"]) {
        await page.emulateMedia({ colorScheme });
        await page.goto(path);
        const where = `${path} ${colorScheme}`;
        const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
        for (const { id, nodes } of violations) problems.push(...nodes.map((node) => `${where}: ${id} ${node.html.slice(0, 150)} ${node.any[0]?.message ?? ""}`));
        if (await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)) problems.push(`${where}: wider than the window`);
        if (await page.evaluate(() => [...document.querySelectorAll("form, form *")].some((part) => part.getBoundingClientRect().right > window.innerWidth - 16)))
          problems.push(`${where}: a form at the edge`);
      }
    }
    assert.deepEqual(problems, []);
  });
}

scene("a reader finds an article, reads it and votes, by keyboard and without script", { javaScriptEnabled: false, token: "" }, async ({ page }) => {
  await page.goto("/help/tents");
  assert.equal(new URL(page.url()).pathname, home);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter"); // past the header
  assert.equal(new URL(page.url()).hash, "#content");
  await page.keyboard.press("Tab");
  await page.keyboard.type("soap for washing");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Results for “soap for washing”" }).waitFor();
  await page.getByRole("link", { name: "Wash a tent" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Wash a tent" }).waitFor();
  assert.equal(await page.locator("script").count(), 0);
  assert.match(await page.title(), /^Wash a tent – Tents help$/);
  await page.getByRole("navigation", { name: "On this page" }).getByRole("link", { name: "By machine" }).press("Enter");
  assert.equal(new URL(page.url()).hash, "#h-by-machine");
  await page.getByRole("button", { name: "Yes" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("status").getByText("Thank you").waitFor();
  assert.equal(await page.getByRole("button", { name: "Yes" }).count(), 0);
  await page.getByRole("navigation", { name: "Language" }).getByRole("link", { name: "Deutsch" }).press("Enter");
  await page.getByRole("heading", { level: 1, name: "Ein Zelt waschen" }).waitFor();
  assert.equal(await page.locator("html").getAttribute("lang"), "de");
  await page.close(); // without script, it could not say that it has reported everything
});

scene("an archived article is gone within a second or so, and other sites cannot vote", { token: "" }, async () => {
  const path = `${server.origin}${home}/wash-a-tent`;
  const page = await (await fetch(path)).text();
  const [, vote] = page.match(/formaction="([^"]+)"/);
  const post = (site) => fetch(server.origin + vote.replaceAll("&amp;", "&"), { method: "POST", redirect: "manual", headers: { "Sec-Fetch-Site": site } });
  assert.deepEqual([(await post("cross-site")).status, (await post("same-origin")).status], [403, 303]);
  await api.patch(`/v1/public/articles/${wash.id}`, { state: "archived" });
  await until("the page is gone", async () => (await fetch(path)).status === 404, 5000);
  assert.ok(!(await (await fetch(`${server.origin}${home}`)).text()).includes("Wash a tent"));
});
