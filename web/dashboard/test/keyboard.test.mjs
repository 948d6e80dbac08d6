// Everything by the keyboard: no scene here touches the mouse.
import assert from "node:assert/strict";
import { openSuite, until } from "./start.mjs";

const { scene, api } = await openSuite();

const focused = (page) => page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent?.trim() ?? "");
/** Presses a key until something has the focus. */
async function tabTo(page, pattern, key = "Tab", most = 80) {
  for (let n = 0; n < most; n++) {
    await page.keyboard.press(key);
    if (pattern.test(await focused(page))) return;
  }
  throw new Error(`${key} does not reach ${pattern}`);
}

async function openInbox(page) {
  await page.goto("/inbox?status=open");
  await page.getByRole("list", { name: "All open" }).getByRole("listitem").first().waitFor();
}

scene("j, k and Enter open a conversation, r and Ctrl+Enter answer it, u leaves it", async ({ page }) => {
  await openInbox(page);
  const rows = page.getByRole("list", { name: "All open" }).getByRole("link");
  const addresses = await Promise.all([0, 1, 2].map((n) => rows.nth(n).getAttribute("href")));
  const at = () => page.evaluate(() => document.activeElement?.getAttribute("href"));
  for (const [key, index] of [
    ["j", 0],
    ["j", 1],
    ["j", 2],
    ["k", 1],
  ]) {
    await page.keyboard.press(key);
    await until(`the row ${index} after ${key}`, async () => (await at()) === addresses[index]);
  }
  await page.keyboard.press("Enter");
  await page.getByRole("textbox", { name: "Reply" }).waitFor();
  assert.equal(new URL(page.url()).pathname + new URL(page.url()).search, addresses[1]);
  await page.keyboard.press("r");
  await until("the field has the focus", async () => (await focused(page)) === "Reply");
  await page.keyboard.type("Written without a mouse");
  await page.keyboard.press("Control+Enter");
  await page
    .getByRole("article", { name: /^Message from/ })
    .getByText("Written without a mouse")
    .waitFor();
  const id = new URL(page.url()).pathname.split("/").at(-1);
  assert.ok((await api.get(`/v1/public/conversations/${id}`)).messages.data.some(({ content }) => content === "Written without a mouse"));
  await page.keyboard.press("Escape");
  await page.keyboard.press("n");
  await until("the note's field has the focus", async () => (await focused(page)) === "Private note");
  await page.keyboard.press("Escape");
  await page.keyboard.press("u");
  await page.getByText("No conversation is open").waitFor();
});

scene("e resolves, p, a, l and s open their lists, Escape gives the focus back", async ({ page }) => {
  await openInbox(page);
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.getByRole("textbox", { name: "Reply" }).waitFor();
  const path = `/v1/public/conversations/${new URL(page.url()).pathname.split("/").at(-1)}`;
  for (const [key, name] of [
    ["p", "Priority"],
    ["a", "Assignee"],
    ["l", "Labels"],
    ["s", "Status"],
  ]) {
    await page.keyboard.press(key);
    await until(`${name} is open and has the focus`, async () => (await focused(page)) === name);
    await page.keyboard.press("Escape");
    await until(`${name} is closed`, async () => (await page.getByRole("listbox").count()) === 0);
    await until("the focus is back", async () => (await focused(page)) !== name);
  }
  await page.keyboard.press("p");
  await until("the list is open", async () => (await focused(page)) === "Priority");
  await page.keyboard.type("urg");
  await page.getByRole("option", { name: "Urgent" }).waitFor();
  await page.keyboard.press("Enter");
  await until("the priority", async () => (await api.get(path)).priority === "urgent");
  await page.keyboard.press("e");
  await until("the end", async () => (await api.get(path)).status === "resolved");
  // The next one is open now; back to this one.
  await until("the next one", () => !page.url().includes(path.split("/").at(-1)));
  await page.goto(`/inbox/${path.split("/").at(-1)}?status=open`);
  await page.getByRole("textbox", { name: "Reply" }).waitFor();
  await page.keyboard.press("e");
  await until("open again", async () => (await api.get(path)).status === "open");
});

scene("Ctrl+K finds pages, commands and records, and gives the focus back", async ({ page }) => {
  await openInbox(page);
  await page.keyboard.press("j");
  const before = await page.evaluate(() => document.activeElement?.getAttribute("href"));
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Search and commands" });
  await palette.waitFor();
  await until("the field has the focus", async () => /^Search/.test(await focused(page)));
  await page.keyboard.press("Escape");
  await palette.waitFor({ state: "detached" });
  await until("the focus is back", async () => (await page.evaluate(() => document.activeElement?.getAttribute("href"))) === before);
  await page.keyboard.press("Control+k");
  await palette.waitFor();
  await page.keyboard.type("go to comp");
  await palette.getByRole("option", { name: /Go to companies/ }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Companies" }).waitFor();
  const [contact] = (await api.get("/v1/public/contacts?limit=1")).data;
  await page.keyboard.press("Control+k");
  await page.keyboard.type(contact.name);
  await palette
    .getByRole("option", { name: new RegExp(`^${contact.name}`) })
    .first()
    .waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: contact.name }).first().waitFor();
});

scene("g and a letter lead to every page, ? shows the keys", async ({ page }) => {
  await openInbox(page);
  for (const [keys, heading] of [
    ["gc", "Contacts"],
    ["go", "Companies"],
    ["gr", "Reports"],
    ["gs", "Your profile"],
    ["gm", "Mine"],
    ["gu", "Unassigned"],
    ["gi", "All open"],
  ]) {
    for (const key of keys) await page.keyboard.press(key);
    await page.getByRole("heading", { level: 1, name: heading }).waitFor();
    await page.evaluate(() => document.activeElement?.blur());
  }
  await page.keyboard.press("?");
  const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await help.waitFor();
  await help.getByText("Resolve or reopen").waitFor();
  await page.keyboard.press("Escape");
  await help.waitFor({ state: "detached" });
});

scene("a dialog keeps the focus inside, closes by Escape and gives it back", async ({ page }) => {
  const dialogs = [
    ["/contacts", /^New contact$/],
    ["/companies", /^New company$/],
    ["/settings/products", /^New product$/],
    ["/settings/members", /^Invite$/],
    ["/settings/keys", /^New key$/],
  ];
  for (const [path, opener] of dialogs) {
    await page.goto(path);
    await page.getByRole("button", { name: opener }).waitFor();
    await tabTo(page, opener);
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.waitFor();
    await until("the dialog has the focus", () => dialog.evaluate((element) => element.contains(document.activeElement)));
    // Behind the last element comes the browser itself (the body, for the page), as with a native modal dialog.
    await dialog.evaluate((element) => {
      window.outside = [];
      window.stops = 0;
      document.addEventListener("focusin", ({ target }) => {
        if (!element.isConnected) return;
        if (element.contains(target)) window.stops++;
        else window.outside.push(target.outerHTML.slice(0, 80));
      });
    });
    for (const key of [...Array(25).fill("Tab"), ...Array(5).fill("Shift+Tab")]) await page.keyboard.press(key);
    const { outside, stops } = await page.evaluate(() => ({ outside: window.outside, stops: window.stops }));
    assert.deepEqual(outside, [], `${path}: keys lead out of the dialog`);
    assert.ok(stops > 15, `${path}: only ${stops} of 30 keys moved the focus`);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await until(`the focus is back at ${opener}`, async () => opener.test(await focused(page)));
  }
});

scene("the first Tab offers to skip the navigation", async ({ page }) => {
  await openInbox(page);
  await page.keyboard.press("Tab");
  assert.equal(await focused(page), "Skip navigation");
  const box = await page.getByRole("link", { name: "Skip navigation" }).boundingBox();
  assert.ok(box && box.x >= 0 && box.y >= 0 && box.width > 20, "the link is not to be seen while it has the focus");
  await page.keyboard.press("Enter");
  await until("the focus is in the page", () => page.evaluate(() => document.activeElement?.closest("main") !== null));
  await page.keyboard.press("Tab");
  assert.ok(await page.evaluate(() => document.activeElement?.closest("main") !== null), "Tab goes back to the navigation");
});

scene("what has the focus shows it", async ({ page }) => {
  await openInbox(page);
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.getByRole("textbox", { name: "Reply" }).waitFor();
  await page.evaluate(() => document.activeElement?.blur());
  const blind = [];
  let steps = 0;
  for (; steps < 70; steps++) {
    await page.keyboard.press("Tab");
    const seen = await page.evaluate(async () => {
      const element = document.activeElement;
      if (!element || element === document.body) return "the page";
      const look = (one) => {
        const { outlineStyle, outlineWidth, boxShadow, borderColor, backgroundColor, opacity } = getComputedStyle(one);
        return [outlineStyle === "none" || outlineWidth === "0px" ? "" : outlineStyle + outlineWidth, boxShadow, borderColor, backgroundColor, opacity].join();
      };
      // An element may show its focus at its frame.
      const chain = [element, element.parentElement, element.parentElement?.parentElement].filter(Boolean);
      const with_ = chain.map(look).join("|");
      element.blur();
      // The shortest transition passes first.
      await new Promise((passed) => setTimeout(passed, 30));
      const without = chain.map(look).join("|");
      element.focus();
      return with_ === without ? `${element.tagName} ${element.getAttribute("aria-label") ?? element.textContent?.slice(0, 40)}` : "";
    });
    if (seen === "the page") break;
    if (seen) blind.push(seen);
  }
  assert.ok(steps > 15, `only ${steps} stops`);
  assert.deepEqual([...new Set(blind)], []);
});

scene("a page of settings is filled in and sent by keys alone", async ({ page }) => {
  await page.goto("/settings/canned-answers");
  await page.getByRole("button", { name: "New answer" }).waitFor();
  await tabTo(page, /^New answer$/);
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor();
  await page.keyboard.type("by-keys");
  await page.keyboard.press("Tab");
  await page.keyboard.type("All by keys.");
  await tabTo(page, /^Create answer$/);
  await page.keyboard.press("Enter");
  await page.getByText("/by-keys", { exact: true }).waitFor();
});
