// How much fits on a screen, and what a member changes about it.
import assert from "node:assert/strict";
import { openSuite, until } from "./start.mjs";

const { scene, api } = await openSuite();

const contact = await api.post("/v1/public/contacts", { name: "Ada With a Rather Long Name of Iron Bridge Outdoor School" });
for (let n = 0; n < 24; n++) {
  const { id } = await api.post("/v1/public/conversations", { contactId: contact.id, labels: ["refund"] });
  await api.post(`/v1/public/conversations/${id}/messages`, { content: `Question ${n}: ${"words ".repeat(20)}`, role: "incoming" });
}

/** The rows that are wholly in view. */
const rowsInView = (page) =>
  page.evaluate(() => {
    const list = document.querySelector("[data-scroller]")?.getBoundingClientRect();
    if (!list) return NaN; // loading
    return [...document.querySelectorAll("[data-row]")].map((row) => row.getBoundingClientRect()).filter((box) => box.top >= list.top - 1 && box.bottom <= list.bottom + 1).length;
  });

scene("compact rows: 16 on a screen, each in one line, and it stays so", async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto("/inbox?status=open");
  await page.locator("[data-row]").first().waitFor();
  assert.ok((await rowsInView(page)) < 12);
  await page.getByRole("button", { name: "Compact rows" }).click();
  await until("16 rows", async () => (await rowsInView(page)) >= 16);
  await page.reload();
  await page.locator("[data-row]").first().waitFor();
  await until("16 rows after a reload", async () => (await rowsInView(page)) >= 16);
  const boxes = await page.locator("[data-row]").evaluateAll((rows) => rows.map((row) => [row.getBoundingClientRect().height, row.scrollWidth - row.clientWidth]));
  assert.ok(
    boxes.every(([height, over]) => height >= 44 && height <= 46 && over <= 0),
    `rows of ${JSON.stringify(boxes)}`,
  );
  await page.keyboard.press("j");
  await page.locator("[data-row][data-cursor=true]").waitFor();
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 800 });
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole("button", { name: "Roomy rows" }).click();
  await until("roomy rows", async () => (await rowsInView(page)) < 12);
});

scene("the list is sized by keys and by the mouse, and the navigation folds", async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto("/inbox?status=open");
  const bar = page.getByRole("separator", { name: "Width of the list" });
  const width = async () => Math.round((await page.getByRole("region", { name: "Conversations" }).boundingBox()).width);
  await bar.focus();
  await page.keyboard.press("ArrowRight");
  await until("20 pixels more", async () => (await width()) === 370);
  assert.equal(await bar.getAttribute("aria-valuenow"), "370");
  await page.keyboard.press("Home");
  await until("the least", async () => (await width()) === 280);
  const box = await bar.boundingBox();
  await page.mouse.move(box.x + 4, 400);
  await page.mouse.down();
  await page.mouse.move(box.x + 124, 420, { steps: 4 });
  await page.mouse.up();
  await until("120 pixels more", async () => (await width()) === 400);
  await page.mouse.move(box.x + 300, 420); // the drag is over
  await page.reload();
  await until("the width after a reload", async () => (await width()) === 400);
  const side = page.getByRole("complementary", { name: "Navigation" });
  await page.keyboard.press("[");
  await until("it is folded", async () => (await side.boundingBox()).width < 60);
  await page.getByRole("button", { name: "Unfold the navigation" }).click();
  await until("it is unfolded", async () => (await side.boundingBox()).width > 200);
});

scene("the contact is sized by keys and by the mouse, and lies over the conversation where there is no space", async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto("/inbox?status=open");
  await page.locator("[data-row]").first().click();
  const pane = page.getByRole("complementary", { name: "Contact" });
  const width = async () => Math.round((await pane.boundingBox()).width);
  await until("the usual width", async () => (await width()) === 300);
  const bar = page.getByRole("separator", { name: "Width of the contact" });
  await bar.focus();
  await page.keyboard.press("ArrowLeft");
  await until("20 pixels more", async () => (await width()) === 320);
  const box = await bar.boundingBox();
  await page.mouse.move(box.x + 4, 400);
  await page.mouse.down();
  await page.mouse.move(box.x - 96, 420, { steps: 4 });
  await page.mouse.up();
  await until("100 pixels more", async () => (await width()) === 420);
  await page.reload();
  await until("the width after a reload", async () => (await width()) === 420);
  await page.setViewportSize({ width: 1000, height: 800 });
  await until("it lies over the conversation", async () => (await width()) === 320);
  assert.equal(await bar.isVisible(), false);
  await page.setViewportSize({ width: 320, height: 800 });
  await until("it is the page", async () => (await width()) === 320);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
});
