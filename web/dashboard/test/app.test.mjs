// The dashboard as an installed app: its manifest, its worker that stores nothing, and its page without a connection.
import assert from "node:assert/strict";
import { openSuite, until } from "./start.mjs";

const { scene, server, api, desk } = await openSuite();
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

/** Delivers messages to the worker as a push service does. */
async function pusher(context, page) {
  const session = await context.newCDPSession(page);
  const registered = new Promise((found) =>
    session.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => registrations.forEach(({ registrationId, scopeURL }) => scopeURL === `${server.origin}/` && found(registrationId))),
  );
  await session.send("ServiceWorker.enable");
  const registrationId = await registered;
  return (message) => session.send("ServiceWorker.deliverPushMessage", { origin: server.origin, registrationId, data: typeof message === "string" ? message : JSON.stringify(message) });
}

const shown = (page) =>
  page.evaluate(async () =>
    (await (await navigator.serviceWorker.getRegistration("/")).getNotifications()).map(({ title, body, tag, data }) => ({ title, body, tag, conversationId: data.conversationId })),
  );

scene("what is pushed is shown once for a conversation, and goes when it is read", { ...worker, permissions: ["notifications"] }, async ({ page, context }) => {
  await open(page);
  await ready(page);
  const push = await pusher(context, page);
  const [{ id }] = (await api.get("/v1/public/conversations?limit=1")).data;
  const message = { id: "n:1", kind: "mentioned", conversationId: id, actor: "Bo", contact: "Dee", text: "Can you look?", count: 1 };
  await page.goto("/docs"); // no page of the dashboard is open
  await push(message);
  await until("the notification", async () => (await shown(page)).length === 1);
  assert.deepEqual(await shown(page), [{ title: "Bo mentioned you", body: "Can you look?", tag: id, conversationId: id }]);
  await push({ ...message, id: "n:2", count: 2, text: "And now?" });
  await until("the later state", async () => (await shown(page))[0].title === "Bo mentioned you (2)");
  await push("not JSON");
  await until("a notification of anything", async () => (await shown(page)).length === 2);
  assert.deepEqual((await shown(page)).map(({ title }) => title).toSorted(), ["Bo mentioned you (2)", "Something new"]);
  await page.goto(`/inbox/${id}?status=open`);
  await until("the notification to go", async () => (await shown(page)).every(({ tag }) => tag !== id));
});

scene("members see their devices, test and remove them", worker, async ({ page }) => {
  const key = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";
  await desk.post("/v1/dashboard/push-devices", { endpoint: "https://127.0.0.1:9/x", p256dh: key, auth: "BTBZMqHH6r4Tts7J_aSIgg" });
  await page.goto("/settings/profile");
  const devices = page.getByRole("list", { name: "Your devices" });
  await devices.getByText("This one").waitFor();
  await devices.getByRole("button", { name: /^Test/ }).click();
  await page.getByText("The push service of this browser refused it.").waitFor();
  await devices.getByRole("button", { name: /^Remove/ }).click();
  await page.getByText("Device removed").waitFor();
  await devices.waitFor({ state: "detached" });
});
