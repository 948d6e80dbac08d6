// Conversations that sleep and come back.
import assert from "node:assert/strict";
import { openSuite, until } from "./start.mjs";

const { scene, api } = await openSuite();

const list = (page) => page.getByRole("list", { name: "All open" });

async function openFirst(page) {
  await page.goto("/inbox?status=open");
  await list(page).getByRole("listitem").first().waitFor();
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.getByRole("textbox", { name: "Reply" }).waitFor();
  return new URL(page.url()).pathname.split("/").at(-1);
}

scene("b and a time put a conversation to sleep, the toast brings it back, b again wakes it", async ({ page }) => {
  const id = await openFirst(page);
  const row = page.locator(`[data-row="${id}"]`);
  await page.keyboard.press("b");
  const dialog = page.getByRole("dialog", { name: "Snooze until" });
  await dialog.waitFor();
  await until("the field has the focus", () => page.evaluate(() => document.activeElement?.tagName === "INPUT"));
  await page.keyboard.type("never");
  await page.keyboard.press("Enter");
  await dialog.getByText("Type a time to come").waitFor();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("3d 14:30");
  const typed = dialog.getByRole("button", { name: /^As typed/ });
  const at = await typed.locator("time").getAttribute("datetime");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "hidden" });
  await until("it sleeps", async () => (await api.get(`/v1/public/conversations/${id}`)).snoozedUntil === at);
  await page.getByRole("button", { name: "Undo" }).click();
  await until("it is open again", async () => (await api.get(`/v1/public/conversations/${id}`)).status === "open");

  await page.goto(`/inbox/${id}?status=open`);
  await page.getByRole("textbox", { name: "Reply" }).waitFor();
  await page.keyboard.press("b");
  await dialog.getByRole("button", { name: /^Tomorrow/ }).click();
  await until("it sleeps", async () => (await api.get(`/v1/public/conversations/${id}`)).status === "pending");
  await page
    .getByRole("navigation", { name: "Pages" })
    .getByRole("link", { name: /^Snoozed/ })
    .click();
  await page.getByRole("list", { name: "Snoozed" }).locator(`[data-row="${id}"]`).waitFor();
  await page.goto(`/inbox/${id}?status=pending`);
  await page.getByRole("button", { name: /^Status: Snoozed until/ }).waitFor();
  await row.getByLabel(/^Snoozed until/).waitFor();
  await page.keyboard.press("b");
  await until("it is awake", async () => (await api.get(`/v1/public/conversations/${id}`)).status === "open");
});

scene("a conversation that wakes comes back into the list by itself, until it is answered", async ({ page }) => {
  const id = await openFirst(page);
  await page.goto("/inbox?status=open");
  const row = list(page).locator(`[data-row="${id}"]`);
  await row.waitFor();
  await api.patch(`/v1/public/conversations/${id}`, { snoozedUntil: new Date(Date.now() + 4000).toISOString() });
  await row.waitFor({ state: "hidden" });
  await row.getByText(/^Back since/).waitFor();
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: /^Back/ }).click();
  await page.getByRole("list", { name: "Back" }).locator(`[data-row="${id}"]`).waitFor();
  await page.goto("/inbox?status=open");
  const { wokeAt, status } = await api.get(`/v1/public/conversations/${id}`);
  assert.ok(wokeAt);
  assert.equal(status, "open");
  await api.post(`/v1/public/conversations/${id}/messages`, { content: "Back again" });
  await row.getByText(/^Back since/).waitFor({ state: "hidden" });
});

scene("on a small phone, the times fit", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 600 });
  const { data } = await api.get("/v1/public/conversations?status=open&limit=1");
  await page.goto(`/inbox/${data[0].id}?status=open`);
  await page.getByRole("button", { name: "Snooze" }).click();
  const dialog = page.getByRole("dialog", { name: "Snooze until" });
  await dialog.getByRole("button", { name: /^Tomorrow/ }).waitFor();
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= 320));
});
