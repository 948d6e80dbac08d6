// The chat without a mouse.
import assert from "node:assert/strict";
import { openSuite } from "../../dashboard/test/start.mjs";
import { begin, messages } from "./shop.mjs";

const { scene, desk, api } = await openSuite();

/** The name of the focused element, in whichever frame it is. */
const focused = (page) =>
  page.evaluate(() => {
    let element = document.activeElement;
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
    return element?.tagName === "IFRAME" ? "frame" : (element?.getAttribute("aria-label") ?? element?.textContent ?? "");
  });
const inFrame = (page) =>
  page
    .frames()
    .find((one) => one.url().includes("/widget/frame"))
    .evaluate(() => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent ?? "");

scene("from opening to an answer and back to the page, by keyboard only", { viewport: { width: 1280, height: 800 } }, async ({ visit }) => {
  const shop = await (await visit()).newPage();
  await shop.goto("/shop?as=visitor");
  const button = shop.getByRole("button", { name: /^Open / });
  await button.waitFor();
  for (let i = 0; i < 30 && !(await focused(shop)).startsWith("Open"); i++) await shop.keyboard.press("Tab");
  assert.match(await focused(shop), /^Open Northwind/);
  assert.equal(await button.getAttribute("aria-expanded"), "false");
  await shop.keyboard.press("Enter");
  const chat = shop.frameLocator("iframe");
  await chat.getByRole("heading", { level: 1 }).and(chat.locator(":focus")).waitFor();
  for (const next of ["Search for help", "Write to us"]) {
    await shop.keyboard.press("Tab");
    assert.ok((await inFrame(shop)).startsWith(next), next);
  }
  await shop.keyboard.press("Enter");
  await chat.getByRole("textbox", { name: "Message" }).and(chat.locator(":focus")).waitFor();
  await shop.keyboard.type("By keys");
  await shop.keyboard.press("Shift+Enter");
  await shop.keyboard.type("alone");
  await shop.keyboard.press("Enter");
  await messages(chat).filter({ hasText: "By keys" }).filter({ hasText: /\d:\d/ }).waitFor();
  assert.equal(await messages(chat).locator("[dir=auto]").innerText(), "By keys\nalone");
  assert.equal(await inFrame(shop), "Message");

  const seen = [];
  for (let i = 0; i < 5; i++) {
    await shop.keyboard.press("Shift+Tab");
    seen.push(await inFrame(shop));
  }
  assert.deepEqual(seen, ["Attach files", "Messages", "Close the chat", "Sound", "All conversations"]);
  await shop.keyboard.press("Enter");
  await chat.getByRole("heading", { name: "Your conversations" }).waitFor();
  await chat.getByRole("heading", { level: 1 }).and(chat.locator(":focus")).waitFor();

  const [{ id }] = (await api.get("/v1/public/conversations?status=open&limit=1")).data;
  await desk.post(`/v1/public/conversations/${id}/messages`, { content: "For you" });
  await chat.getByRole("button", { name: /1 unread/ }).focus();
  await shop.keyboard.press("Enter");
  await messages(chat).filter({ hasText: "For you" }).waitFor();
  await shop.keyboard.press("Escape");
  await shop.getByRole("button", { name: /^Open / }).waitFor();
  assert.match(await focused(shop), /^Open Northwind/, "the focus is where it began");
  // Nothing in the closed chat can be reached.
  for (let i = 0; i < 20; i++) {
    await shop.keyboard.press("Tab");
    assert.notEqual(await focused(shop), "frame");
  }
});

scene("a chat that is restored open does not take the focus", {}, async ({ visit }) => {
  const shop = await (await visit()).newPage();
  await shop.goto("/shop?as=visitor");
  await shop.getByRole("button", { name: /^Open / }).click();
  await shop.frameLocator("iframe").getByRole("textbox").waitFor();
  await shop.reload();
  await shop.frameLocator("iframe").getByRole("textbox").waitFor();
  assert.notEqual(await focused(shop), "frame");
});

scene("messages are announced to screen readers", {}, async ({ visit }) => {
  const shop = await (await visit()).newPage();
  await shop.goto("/shop?as=visitor");
  await shop.getByRole("button", { name: /^Open / }).click();
  const chat = shop.frameLocator("iframe");
  await begin(chat);
  await chat.getByRole("textbox").fill("hello");
  await shop.keyboard.press("Enter");
  await messages(chat).filter({ hasText: /\d:\d/ }).waitFor();
  const [{ id }] = (await api.get("/v1/public/conversations?status=open&limit=1")).data;
  await desk.post(`/v1/public/conversations/${id}/messages`, { content: "told" });
  const log = chat.getByRole("log", { name: "Messages" });
  await log
    .getByRole("article", { name: /^Ann Lindqvist, / })
    .getByText("told")
    .waitFor();
  await log.getByRole("article", { name: /^You, / }).waitFor();
  assert.equal(await log.getAttribute("aria-busy"), "false");
});
