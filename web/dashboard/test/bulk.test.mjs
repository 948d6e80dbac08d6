// Selecting conversations, and changing many at once.
import assert from "node:assert/strict";
import { openSuite, until } from "./start.mjs";

const { scene, api, desk } = await openSuite();

const list = (page) => page.getByRole("list", { name: "All open" });
const bar = (page) => page.getByRole("toolbar", { name: "Selection" });
const notes = (page) => page.getByRole("region", { name: "Notifications" });
const statuses = (ids) => Promise.all(ids.map(async (id) => (await api.get(`/v1/public/conversations/${id}`)).status));

async function openList(page) {
  await page.goto("/inbox?status=open");
  await list(page).getByRole("listitem").first().waitFor();
  return page.locator("[data-row]").evaluateAll((rows) => rows.map((row) => row.dataset.row));
}

scene("x and Shift+j select, e resolves what is selected, and Undo opens it again", async ({ page }) => {
  const [first, second, third] = await openList(page);
  const ids = [first, second, third];
  await page.keyboard.press("j");
  await page.keyboard.press("x");
  await bar(page).getByText("1 selected").waitFor();
  await page.keyboard.press("Shift+j");
  await page.keyboard.press("Shift+j");
  await bar(page).getByText("3 selected").waitFor();
  await page.keyboard.press("e");
  await notes(page).getByText("3 conversations changed").waitFor();
  await bar(page).waitFor({ state: "hidden" });
  assert.deepEqual(await statuses(ids), ["resolved", "resolved", "resolved"]);
  await notes(page).getByRole("button", { name: "Undo" }).click();
  await notes(page).getByText("3 changes taken back").waitFor();
  assert.deepEqual(await statuses(ids), ["open", "open", "open"]);
  await page.keyboard.press("Shift+x");
  await bar(page)
    .getByText(/^\d+ selected$/)
    .waitFor();
  await page.keyboard.press("Escape");
  await bar(page).waitFor({ state: "hidden" });
});

scene("the picture of a row selects it, Shift a range; the keys leave the open conversation alone; a reload keeps the note", async ({ page }) => {
  const [first, second, third] = await openList(page);
  await page.goto(`/inbox/${third}?status=open`);
  await page.getByRole("textbox", { name: "Reply" }).waitFor();
  await page.locator(`[data-row="${first}"] [data-select]`).click();
  await page.locator(`[data-row="${second}"]`).click({ modifiers: ["Shift"] });
  await bar(page).getByText("2 selected").waitFor();
  assert.ok(page.url().includes(third));
  await page.keyboard.press("l");
  await page.getByRole("dialog", { name: "Labels" }).getByRole("combobox").fill("parcel-42");
  await page.keyboard.press("Enter");
  await notes(page).getByText("2 conversations changed").waitFor();
  const labels = await Promise.all([first, second, third].map(async (id) => (await api.get(`/v1/public/conversations/${id}`)).labels.includes("parcel-42")));
  assert.deepEqual(labels, [true, true, false]);
  await page.reload();
  await notes(page).getByText("2 conversations changed").waitFor();
  await notes(page).getByRole("button", { name: "Close the notification" }).click();
  await notes(page).getByText("2 conversations changed").waitFor({ state: "hidden" });

  // Without a selection, the keys are the conversation's again.
  await page.keyboard.press("e");
  await until("it is resolved", async () => (await statuses([third]))[0] === "resolved");
});

scene("the selection fits a small phone", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 600 });
  const [first] = await openList(page);
  await page.locator(`[data-row="${first}"] [data-select]`).click();
  await bar(page).getByText("1 selected").waitFor();
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= 320));
  await bar(page).getByRole("button", { name: "Priority" }).click();
  await page.getByRole("option", { name: "Urgent" }).click();
  await notes(page).getByText("1 conversation changed").waitFor();
  assert.equal((await desk.get("/v1/dashboard/bulk")).data[0].changed, 1);
});
