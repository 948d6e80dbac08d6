// The dashboard as an installed app: its manifest, its worker that stores nothing, and its page without a connection.
import assert from "node:assert/strict";
import { openSuite, until } from "./start.mjs";

const { scene, server, api } = await openSuite();
const worker = { worker: true };

const open = async (page, path = "/inbox?status=open") => {
  await page.goto(path);
  await page.getByRole("heading", { name: "All open" }).waitFor();
};
const ready = (page) => page.evaluate(() => navigator.serviceWorker.ready.then(({ active, scope }) => [active.scriptURL, scope]));
/** The addresses of everything in Cache Storage. */
const stored = (page) =>
  page.evaluate(async () => {
    const caches_ = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
    return (await Promise.all(caches_.map((cache) => cache.keys()))).flat().map(({ url }) => url);
  });

scene("a browser may install it", worker, async ({ page, context }) => {
  await open(page);
  const session = await context.newCDPSession(page);
  const { url, errors, data } = await session.send("Page.getAppManifest");
  assert.deepEqual([new URL(url).pathname, errors], ["/assets/app.webmanifest", []]);
  const manifest = JSON.parse(data);
  assert.deepEqual([manifest.display, manifest.scope, manifest.start_url, manifest.id], ["standalone", "/", "/", "/"]);
  const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
  // A test's browser window is incognito, which is no fault of the page.
  assert.deepEqual(
    installabilityErrors.filter(({ errorId }) => errorId !== "in-incognito"),
    [],
  );
  for (const { src, sizes } of [...manifest.icons, ...manifest.shortcuts.flatMap(({ icons }) => icons), { src: "/assets/icon-apple.png", sizes: "180x180" }]) {
    const size = await page.evaluate(async (address) => {
      const image = Object.assign(new Image(), { src: address });
      await image.decode();
      return `${image.naturalWidth}x${image.naturalHeight}`;
    }, src);
    assert.ok(sizes === "any" || sizes === size, `${src} is ${size}, not ${sizes}`);
  }
  for (const { url: shortcut } of manifest.shortcuts) assert.equal((await page.request.get(shortcut)).status(), 200);
});

scene("a German browser installs it in German", { ...worker, locale: "de-DE", allow: [/ERR_INTERNET_DISCONNECTED|503/] }, async ({ page, context }) => {
  await page.goto("/inbox?status=open");
  await page.getByRole("heading", { name: "Alle offenen" }).waitFor();
  const { data } = await (await context.newCDPSession(page)).send("Page.getAppManifest");
  assert.equal(JSON.parse(data).lang, "de");
  assert.deepEqual(await ready(page), [`${server.origin}/worker.de.js`, `${server.origin}/`]);
  await context.setOffline(true);
  await page.goto("/contacts");
  await page.getByRole("heading", { name: "Keine Verbindung" }).waitFor();
});

scene("without a connection every page says so, and continues by itself", { ...worker, allow: [/ERR_INTERNET_DISCONNECTED|503/] }, async ({ page, context }) => {
  await open(page);
  assert.deepEqual(await ready(page), [`${server.origin}/worker.js`, `${server.origin}/`]);
  await context.setOffline(true);
  await page.goto("/contacts");
  await page.getByRole("heading", { name: "No connection" }).waitFor();
  assert.equal(await page.evaluate(() => getComputedStyle(document.querySelector("button")).minHeight), "44px", "the page has no styles");
  await context.setOffline(false);
  await page.getByRole("heading", { level: 1, name: "Contacts" }).waitFor();
});

scene("the worker stores nothing, and leaves other pages alone", { ...worker, allow: [/ERR_INTERNET_DISCONNECTED|503/] }, async ({ page, context }) => {
  await open(page);
  await ready(page);
  await page.reload(); // the worker answers from now on
  await page.getByRole("list", { name: "All open" }).getByRole("listitem").first().click();
  await page.getByRole("textbox", { name: /reply/i }).waitFor();
  await page.goto("/contacts");
  await page.getByRole("heading", { level: 1, name: "Contacts" }).waitFor();
  assert.ok(await page.evaluate(() => navigator.serviceWorker.controller !== null), "the page has no worker");
  assert.deepEqual(await stored(page), []);
  // The control: what a worker had stored would be seen.
  await page.evaluate(async () => (await caches.open("control")).add("/v1/dashboard/state"));
  assert.deepEqual(await stored(page), [`${server.origin}/v1/dashboard/state`]);
  await context.setOffline(true);
  await assert.rejects(page.goto("/docs"), /ERR_INTERNET_DISCONNECTED/, "the worker answered for a page that is not the dashboard's");
  await context.setOffline(false);
  await page.goto("/contacts");
  await page.getByRole("heading", { level: 1, name: "Contacts" }).waitFor();
});

scene("a page after an upgrade is the new one", worker, async ({ page }) => {
  await open(page);
  await ready(page);
  await page.reload();
  await until("the worker to answer for the page", () => page.evaluate(() => navigator.serviceWorker.controller !== null));
  const answer = await page.request.get("/worker.js");
  assert.equal(answer.headers()["cache-control"], "no-cache");
  assert.match(answer.headers()["content-security-policy"], /worker-src 'self'/);
  const [{ name }] = (await api.get("/v1/public/contacts?limit=1")).data;
  await page.goto("/contacts");
  await page.getByText(name).first().waitFor();
});

scene("an app without the browser's bar keeps clear of the notch, and leads back", { ...worker, viewport: { width: 375, height: 812 }, isMobile: true, hasTouch: true }, async ({ page, context }) => {
  const session = await context.newCDPSession(page);
  await session.send("Emulation.setSafeAreaInsetsOverride", { insets: { top: 47, bottom: 34, left: 0, right: 0 } });
  await open(page);
  const top = await page.getByRole("banner").boundingBox();
  assert.ok(top.y >= 47, `the bar begins at ${top.y}`);
  await page.getByRole("list", { name: "All open" }).getByRole("listitem").first().click();
  const box = page.getByRole("textbox", { name: /reply/i });
  await box.waitFor();
  assert.ok((await page.getByRole("main").boundingBox()).y >= 47);
  await page
    .getByRole("link", { name: /back/i })
    .or(page.getByRole("button", { name: /back/i }))
    .first()
    .click();
  await page.getByRole("heading", { name: "All open" }).waitFor();
});
