// Notices by push: what the service worker does with them, and the devices in the settings.
/* global WindowClient, Clients, NotificationEvent, ExtendableEvent -- some functions run in the worker */
import assert from "node:assert/strict";
import { openSuite, until } from "./start.mjs";

const { scene, server, api, desk } = await openSuite([], { windows: true });
const worker = { worker: true, permissions: ["notifications"] };

const open = async (page, path = "/inbox?status=open") => {
  await page.goto(path);
  await page.getByRole("heading", { name: "All open" }).waitFor();
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
};

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

scene("what is pushed is shown once for a conversation, and goes when it is read", worker, async ({ page, context }) => {
  await open(page);
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

scene("nothing is shown while the app is in front, but for a test", worker, async ({ page, context }) => {
  await open(page);
  const push = await pusher(context, page);
  const [{ id }] = (await api.get("/v1/public/conversations?limit=1")).data;
  const message = { id: "n:1", kind: "mentioned", conversationId: id, actor: "Bo", contact: "Dee", text: "Can you look?", count: 1 };
  assert.ok(await page.evaluate(() => document.hasFocus()), "the page is not in front");
  await push(message);
  await push({ ...message, kind: "test", conversationId: "" });
  // The worker hears one message after the other.
  await until("the test's notification", async () => (await shown(page)).length > 0);
  assert.deepEqual(
    (await shown(page)).map(({ title }) => title),
    ["Notifications work"],
  );
  await page.goto("/docs");
  await push(message);
  await until("a notification without a page", async () => (await shown(page)).some(({ tag }) => tag === id));
});

/**
 * Gives the worker an event that a test cannot cause in a browser, and waits for what it does. `make` runs in the worker and
 * returns the event.
 */
const cause = (context, make, argument) =>
  context.serviceWorkers()[0].evaluate(`(async () => {
    const event = await (${make})(${JSON.stringify(argument)});
    const waits = [];
    Object.defineProperty(event, "waitUntil", { value: (work) => waits.push(work) });
    self.dispatchEvent(event);
    await Promise.all(waits);
    return waits.length;
  })()`);

scene("a chosen notification opens its conversation, in the page that is there or in a new one", worker, async ({ page, context }) => {
  await open(page);
  const push = await pusher(context, page);
  const [{ id }, other] = (await api.get("/v1/public/conversations?limit=2")).data;
  const show = async (conversationId) => {
    const back = page.url();
    await page.goto("/docs");
    await push({ id: "n:1", kind: "mentioned", conversationId, actor: "Bo", contact: "Dee", text: "Can you look?", count: 1 });
    await until("the notification", async () => (await shown(page)).length === 1);
    await page.goto(back);
    await page.getByRole("heading", { name: "All open" }).waitFor();
  };
  // A browser lets a worker bring pages to the front after a click of a person alone.
  await context.serviceWorkers()[0].evaluate(() => {
    self.opened = [];
    WindowClient.prototype.focus = async function () {
      return this;
    };
    Clients.prototype.openWindow = async (address) => void self.opened.push(address);
  });
  const click = async () => new NotificationEvent("notificationclick", { notification: (await self.registration.getNotifications())[0] });
  await show(id);
  await page.locator("main ~ [role=status]").waitFor({ state: "attached" }); // the part that hears it is fetched behind the list
  assert.equal(await cause(context, click), 1);
  await page.waitForURL((url) => url.pathname === `/inbox/${id}`);
  await page.getByRole("textbox", { name: /reply/i }).waitFor();
  await until("the notification to go", async () => (await shown(page)).length === 0);
  await page.goto("/inbox?status=open");
  await show(other.id);
  await page.goto("/docs"); // no page of the dashboard
  assert.equal(await cause(context, click), 1);
  assert.deepEqual(await context.serviceWorkers()[0].evaluate(() => self.opened), [`/inbox/${other.id}`]);
  assert.deepEqual(await shown(page), []);
});

scene("a browser that changes its address tells the server", worker, async ({ page, context }) => {
  await open(page);
  const change = (endpoint) =>
    Object.assign(new ExtendableEvent("pushsubscriptionchange"), {
      newSubscription: { toJSON: () => ({ endpoint, keys: { p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4", auth: "BTBZMqHH6r4Tts7J_aSIgg" } }) },
    });
  const devices = async () => (await desk.get("/v1/dashboard/push-devices")).data;
  assert.deepEqual(await devices(), []);
  assert.equal(await cause(context, change, "https://127.0.0.1:9/one"), 1);
  const [first, ...more] = await devices();
  assert.deepEqual([first.current, more], [true, []]);
  assert.equal(await cause(context, change, "https://127.0.0.1:9/two"), 1);
  const [second, ...others] = await devices();
  assert.deepEqual([second.current, second.id === first.id, others], [true, false, []], "the former address stays");
  // Without an address there is nothing to tell.
  assert.equal(await cause(context, () => new ExtendableEvent("pushsubscriptionchange")), 1);
  assert.equal((await devices())[0].id, second.id);
  await desk.delete(`/v1/dashboard/push-devices/${second.id}`);
});

scene("members see their devices, test and remove them", worker, async ({ page }) => {
  const key = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";
  await desk.post("/v1/dashboard/push-devices", { endpoint: "https://127.0.0.1:9/x", p256dh: key, auth: "BTBZMqHH6r4Tts7J_aSIgg" });
  await page.goto("/settings/notifications");
  const devices = page.getByRole("list", { name: "Your devices" });
  await devices.getByText("This one").waitFor();
  await devices.getByRole("button", { name: /^Test/ }).click();
  await page.getByText("The push service of this browser refused it.").waitFor();
  await devices.getByRole("button", { name: /^Remove/ }).click();
  await page.getByText("Device removed").waitFor();
  await devices.waitFor({ state: "detached" });
});
