// The flow of work: the list keeps its place, nothing moves under the pointer,
// new messages alert the member, and a search hit leads to its message.
import assert from "node:assert/strict";
import { openSuite, until } from "./start.mjs";

const { scene, api, desk, join } = await openSuite();

/** Creates conversations with a label of their own, the first one on top of the list. */
async function talks(label, ...names) {
  const made = {};
  for (const name of names.toReversed()) {
    const contact = await api.post("/v1/public/contacts", { name: `${name} ${label}` });
    const { id } = await api.post("/v1/public/conversations", { contactId: contact.id, labels: [label] });
    made[name] = { id, path: `/v1/public/conversations/${id}`, ask: (content) => api.post(`/v1/public/conversations/${id}/messages`, { content, role: "incoming" }) };
    await made[name].ask(`${name} asks`);
  }
  return made;
}

const rowsOf = (page) => page.getByRole("region", { name: "Conversations" }).getByRole("listitem");
/** The first names of the rows in order; rows that are gone in brackets. */
const shown = async (page) =>
  (await rowsOf(page).allInnerTexts()).map((text) => (text.includes("No longer") ? `[${text.match(/[A-Z][a-z]+/)[0]}]` : text.match(/[A-Z][a-z]+(?= [a-z]+\n)/)[0])).join(" ");
const list = (page, what) => until(`the list ${what}`, async () => (await shown(page).catch(() => "")) === what).catch(async (fault) => assert.fail(`${fault.message}; it is ${await shown(page)}`));
const openIs = (page, { id }) => page.waitForURL((url) => url.pathname === `/inbox/${id}`);
const reply = (page) => page.getByRole("textbox", { name: "Reply" });

/** Makes timers of this many ms end when the scene calls `elapse`, however slow the machine is. */
async function stall(page, ms) {
  await page.addInitScript((stalled) => {
    const { setTimeout: set, clearTimeout: clear } = window;
    const waiting = new Map();
    let last = 1e12; // not an id of the browser's
    window.setTimeout = (run, after, ...rest) => {
      if (after !== stalled) return set(run, after, ...rest);
      waiting.set(++last, run);
      return last;
    };
    window.clearTimeout = (id) => waiting.delete(id) || clear(id);
    window.elapse = () => {
      const due = [...waiting.values()];
      waiting.clear();
      for (const run of due) run();
    };
  }, ms);
}

/** Lets stalled timers end until the condition is true, because a page may not have started to wait yet. */
const elapse = (page, what, ask) => until(what, async () => (await page.evaluate(() => window.elapse()), ask()));

async function openList(page, label, what, query = "") {
  await page.goto(`/inbox?status=open&label=${label}${query}`);
  await list(page, what);
}

scene("by keyboard: an answered or resolved row keeps its place, and its neighbour is next", async ({ page }) => {
  const { Bo, Cy, Di, Ed } = await talks("keys", "Al", "Bo", "Cy", "Di", "Ed");
  await stall(page, 8_000); // the pause of the list
  await openList(page, "keys", "Al Bo Cy Di Ed");
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await openIs(page, Bo);
  await reply(page).waitFor();
  await page.keyboard.press("e");
  await openIs(page, Cy);
  await until("it is resolved", async () => (await api.get(Bo.path)).status === "resolved");
  await list(page, "Al [Bo] Cy Di Ed");
  await reply(page).fill("Here you are");
  await page.keyboard.press("Control+Enter");
  await page
    .getByRole("article", { name: /^Message from/ })
    .getByText("Here you are")
    .waitFor();
  await page.keyboard.press("Escape");
  await openIs(page, Cy);
  // When nobody is working in the list, resolved rows disappear; the answered one stays under the reader.
  await elapse(page, "the resolved one goes", async () => (await shown(page).catch(() => "")) === "Al Cy Di Ed");
  await page.keyboard.press("j");
  await openIs(page, Di);
  await page.keyboard.press("k");
  await openIs(page, Cy);
  await page.keyboard.press("j");
  await openIs(page, Di);
  await page.keyboard.press("r");
  await page.keyboard.type("Done, and goodbye");
  await page.keyboard.press("Control+Shift+Enter");
  await openIs(page, Ed);
  await until("it is answered and resolved", async () => {
    const { status, messages } = await api.get(Di.path);
    return status === "resolved" && messages.data.at(-1).content === "Done, and goodbye";
  });
});

scene("by mouse: nothing moves under the pointer, and a button shows what is new", async ({ page }) => {
  const { Cy, Di } = await talks("mouse", "Al", "Bo", "Cy", "Di");
  await openList(page, "mouse", "Al Bo Cy Di");
  await rowsOf(page).nth(1).hover();
  await Di.ask("Me first");
  await page.getByRole("region", { name: "Conversations" }).getByText("Me first").waitFor();
  await api.patch(Cy.path, { status: "resolved" });
  await list(page, "Al Bo [Cy] Di");
  await page.getByRole("button", { name: "1 new" }).click();
  await list(page, "Di Al Bo");
  await Di.ask("And again");
  await rowsOf(page).getByRole("link").first().click();
  await openIs(page, Di);
  await reply(page).fill("Yes");
  await page.getByRole("button", { name: "Send and resolve" }).click();
  await until("it is resolved", async () => (await api.get(Di.path)).status === "resolved");
  await until("the next one is open", async () => !page.url().includes(Di.id) && page.url().includes("/inbox/"));
  await page.getByRole("button", { name: "Resolve", exact: true }).click();
  await page.mouse.move(900, 400);
  await list(page, "Bo");
});

scene("each member chooses what opens next", async ({ page }) => {
  const { Al, Bo } = await talks("chosen", "Al", "Bo");
  await page.goto("/settings");
  await page.getByRole("combobox", { name: "After resolving" }).selectOption("stay");
  await page.getByRole("combobox", { name: "After a reply" }).selectOption("list");
  await openList(page, "chosen", "Al Bo");
  await rowsOf(page).getByRole("link").first().click();
  await reply(page).waitFor();
  await page.getByRole("button", { name: "Resolve", exact: true }).click();
  await page.getByRole("button", { name: /^(Open again|Reopen)$/ }).waitFor();
  await openIs(page, Al);
  await page.goto(`/inbox/${Bo.id}?status=open&label=chosen`);
  await reply(page).fill("Done");
  await page.keyboard.press("Control+Enter");
  await page.getByText("No conversation is open").waitFor();
  await until("it was sent", async () => (await api.get(Bo.path)).messages.data.length === 2);
});

scene("viewing marks as read, passing by does not, and Shift+U marks as unread, for this member only", async ({ page, visit }) => {
  const { Al, Bo, Cy } = await talks("read", "Al", "Bo", "Cy");
  const unread = async (of = desk) => {
    const { new: fresh, marked } = await of.get("/v1/dashboard/unread");
    const name = { [Al.id]: "Al", [Bo.id]: "Bo", [Cy.id]: "Cy" };
    return [...fresh, ...marked]
      .flatMap((id) => name[id] ?? [])
      .toSorted()
      .join(" ");
  };
  const other = await visit({ token: await join({ email: "uma@example.org", name: "Uma Unread" }) });
  const hers = await other.newPage();
  await openList(hers, "read", "Al Bo Cy");
  await page.bringToFront();
  await stall(page, 1_000); // the time of a view
  await openList(page, "read", "Al Bo Cy");
  const counted = (where) => where.getByRole("region", { name: "Conversations" }).getByText("unread");
  await until("all are unread", async () => (await counted(page).count()) === 3);
  await rowsOf(page).getByRole("link").first().focus();
  for (const key of ["j", "Enter", "j", "j"]) await page.keyboard.press(key);
  await openIs(page, Cy);
  await elapse(page, "one was read", async () => (await unread()) === "Al Bo");
  assert.equal(await counted(page).count(), 2);
  assert.equal((await api.get(Cy.path)).unreadCount, 0, "the team's count ends with whoever reads");
  // It is still unread for the other member, who sees a dot instead of the count.
  await hers.getByRole("img", { name: "Unread", exact: true }).waitFor();
  assert.equal(await counted(hers).count(), 2);
  await page.keyboard.press("Shift+U");
  await page.getByRole("region", { name: "Conversations" }).getByRole("img", { name: "Unread", exact: true }).waitFor();
  await until("it is marked", async () => (await unread()) === "Al Bo Cy");
  await page.keyboard.press("k");
  await openIs(page, Bo);
  await elapse(page, "the next one was read", async () => (await unread()) === "Al Cy");
  await page.keyboard.press("j");
  await elapse(page, "it is read again", async () => (await unread()) === "Al");
  await page.getByRole("button", { name: "Mark as unread" }).click();
  await until("it is marked again", async () => (await unread()) === "Al Cy");
  const second = await page.context().newPage();
  await openList(second, "read", "Al Bo Cy");
  await rowsOf(second).nth(2).getByRole("img", { name: "Unread", exact: true }).waitFor();
  await desk.post(`/v1/dashboard/conversations/${Cy.id}/read`);
  await until("the other tab hears", async () => (await rowsOf(second).nth(2).getByRole("img", { name: "Unread", exact: true }).count()) === 0);
});

scene("the longest waiting is first, and the row says how long", async ({ page }) => {
  const { Bo, Cy } = await talks("wait", "Al", "Bo", "Cy");
  await api.post(`${Bo.path}/messages`, { content: "Answered" });
  await openList(page, "wait", "Cy Al", "&order=waiting");
  await page.clock.install({ time: Date.now() + 3 * 3600_000 });
  await page.reload();
  await page.getByText("waiting 3 h").first().waitFor();
  await Bo.ask("Again");
  await list(page, "Cy Al Bo");
  await api.post(`${Cy.path}/messages`, { content: "Answered too" });
  await list(page, "Al Bo");
  await page.getByRole("link", { name: /^Waiting \d+$/ }).click();
  await page.getByRole("heading", { level: 1, name: "Waiting" }).waitFor();
  await until(
    "as many are counted as wait",
    async () => (await page.getByRole("link", { name: /^Waiting \d+$/ }).innerText()).match(/\d+/)?.[0] === `${(await desk.get("/v1/dashboard/counts")).waiting}`,
  );
});

/** Records notifications and sounds instead of showing and playing them. */
const listen = () => {
  window.called = [];
  window.Notification = class {
    static permission = "granted";
    static requestPermission = async () => "granted";
    constructor(title, { body }) {
      window.called.push(`${title}: ${body}`);
    }
  };
  window.AudioContext = class {
    currentTime = 0;
    destination = {};
    createOscillator = () => ({ frequency: {}, connect: (next) => next, start: () => {}, stop: () => {} });
    createGain = () => ({ gain: { setValueAtTime() {}, linearRampToValueAtTime() {}, exponentialRampToValueAtTime() {} }, connect: (next) => next });
    close = async () => {};
    constructor() {
      window.called.push("sound");
    }
  };
};

scene("a member is alerted as they chose, by one tab, for their own and unassigned conversations", async ({ context, page }) => {
  await context.addInitScript(listen);
  const { Al, Bo, Cy } = await talks("calls", "Al", "Bo", "Cy");
  const members = (await api.get("/v1/public/members")).data;
  const me = (await desk.get("/v1/dashboard/session")).member;
  await api.patch(Bo.path, { assigneeId: members.find(({ id }) => id !== me.id).id });
  await openList(page, "calls", "Al Bo Cy");
  const called = () => page.evaluate(() => window.called.join(" | "));
  const toRead = async () => (await desk.get("/v1/dashboard/counts")).toRead;
  await until("the title counts", async () => (await page.title()) === `(${Math.min(await toRead(), 100) > 99 ? "99+" : await toRead()}) Inbox · Parley`);
  assert.match(await page.locator("link[rel=icon]").getAttribute("href"), /^data:image\/svg\+xml,/);
  await Al.ask("Nobody hears this");
  await rowsOf(page).getByText("Nobody hears this").waitFor();
  assert.equal(await called(), "", "nobody is called before they say so");
  await page.goto("/settings/notifications");
  await page.getByRole("switch", { name: "Sound" }).check();
  await page.getByRole("switch", { name: "Desktop notifications" }).check();
  await openList(page, "calls", "Al Bo Cy");
  const second = await context.newPage();
  await second.goto("/contacts");
  await second.getByRole("heading", { level: 1, name: "Contacts" }).waitFor();
  // The member is looking at another window.
  for (const tab of [page, second]) await tab.evaluate(() => (document.hasFocus = () => false));
  const all = async () => (await Promise.all([page, second].map((tab) => tab.evaluate(() => window.called)))).flat().toSorted().join(" | ");
  await Bo.ask("This is somebody else's");
  await Al.ask("This is nobody's");
  await until("one tab calls", async () => (await all()) === "Al calls: This is nobody's | sound");
  await api.patch(Cy.path, { assigneeId: me.id });
  await until("what is assigned to the member calls", async () => /^Al calls: This is nobody's \| [^|:]*assigned[^|:]*: [^|:]+ \| sound \| sound$/i.test(await all()));
  await page.evaluate(() => delete document.hasFocus);
  await page.bringToFront();
  await rowsOf(page)
    .getByRole("link", { name: /Cy calls/ })
    .click();
  await openIs(page, Cy);
  await Cy.ask("I am here");
  await page.getByRole("article").getByText("I am here").waitFor();
  await Al.ask("And I");
  await until("only a sound where somebody looks", async () => (await called()).split("sound").length + (await second.evaluate(() => window.called.join())).split("sound").length === 2 + 3);
  assert.equal((await all()).match(/: /g).length, 2, "a notice came to somebody who was looking");
});

scene("a search hit opens at its message and marks it, next to the present list", async ({ page }) => {
  const { Al } = await talks("hits", "Al", "Bo");
  for (let n = 1; n <= 170; n++) await api.post(`${Al.path}/messages`, { content: n === 40 ? "The xylophone is out of tune" : `Line ${n}` });
  await openList(page, "hits", "Al Bo");
  const hit = page.getByRole("option", { name: /out of tune/ });
  await until("the search knows it", async () => (await desk.get("/v1/dashboard/search?q=xylophone")).data.length > 0);
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Search, or type a command" }).fill("xylophone");
  await hit.click();
  await openIs(page, Al);
  const sought = page.locator("[data-message][aria-current=true]");
  await sought.getByText("The xylophone is out of tune").waitFor();
  await until("it is in view", () =>
    sought.evaluate((one) => {
      const { top, bottom } = one.getBoundingClientRect();
      const box = one.closest("[role=log]").getBoundingClientRect();
      return top >= box.top && bottom <= box.bottom;
    }),
  );
  assert.equal(await shown(page), "Al Bo", "the list is another one");
  assert.equal(new URL(page.url()).searchParams.get("label"), "hits");
  const log = page.getByRole("log", { name: "Messages" });
  const says = (text) => log.getByText(text, { exact: true });
  assert.equal(await says("Line 170").count(), 0, "everything was loaded");
  // Scrolling loads messages in both directions, until there are no more.
  await until("the end by scrolling", async () => {
    await log.evaluate((box) => (box.scrollTop = box.scrollHeight));
    return (await says("Line 170").count()) > 0;
  });
  await until("the beginning by scrolling", async () => {
    await log.evaluate((box) => (box.scrollTop = 0));
    return (await says("Al asks").count()) > 0;
  });
  const lines = await log.getByText(/^Line \d+$/).allInnerTexts();
  assert.deepEqual(
    lines,
    Array.from({ length: 170 }, (_, n) => `Line ${n + 1}`).filter((line) => line !== "Line 40"),
  );
  await page.reload();
  await sought.getByText("The xylophone is out of tune").waitFor();
  await Al.ask("Something new");
  await page.getByRole("button", { name: "Newest" }).click();
  await says("Something new").waitFor();
  assert.equal(new URL(page.url()).searchParams.get("message"), null);
});

scene("the inbox works in a browser without storage", async ({ page }) => {
  const { Al } = await talks("shut", "Al");
  await page.addInitScript(() => {
    for (const name of ["localStorage", "sessionStorage"]) {
      Object.defineProperty(window, name, {
        get: () => {
          throw new DOMException("The operation is insecure.", "SecurityError");
        },
      });
    }
  });
  await openList(page, "shut", "Al");
  await page.getByRole("button", { name: "Labels" }).click();
  await rowsOf(page).getByRole("link").first().click();
  await openIs(page, Al);
  await reply(page).fill("Hello");
  await page.getByRole("button", { name: "Hide the contact" }).click();
  await reply(page).press("Control+Enter");
  await until("it was sent", async () => (await api.get(Al.path)).messages.data.at(-1).content === "Hello");
});
