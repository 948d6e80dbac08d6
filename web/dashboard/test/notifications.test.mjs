// What members choose about notices: by the keyboard, on a phone, and in German.
import assert from "node:assert/strict";
import { openSuite } from "./start.mjs";

const { scene } = await openSuite();

const preferences = (page) => page.evaluate(async () => (await fetch("/v1/dashboard/notice-preferences")).json());

scene("a member chooses channels by the keyboard, and another tab shows it", async ({ page, context }) => {
  await page.goto("/settings/notifications");
  const box = page.getByRole("checkbox", { name: "A note mentions you: E-mail" });
  await box.waitFor();
  assert.ok(await box.isChecked());
  const other = await context.newPage();
  await other.goto("/settings/notifications");
  const same = other.getByRole("checkbox", { name: "A note mentions you: E-mail" });
  await same.waitFor();
  await box.press("Space");
  await page.getByText("Saved", { exact: true }).waitFor();
  await other.waitForFunction(() => [...document.querySelectorAll("td label")].some((label) => label.textContent === "A note mentions you: E-mail" && !label.querySelector("input").checked));
  assert.deepEqual((await preferences(page)).kinds.mentioned, ["desktop", "push"]);
  assert.equal(await page.getByRole("checkbox", { name: /nobody has: Push/ }).count(), 0, "nobody is pushed of conversations that nobody has");
});

scene("quiet hours, a time away and a daily e-mail, at 320 pixels", { viewport: { width: 320, height: 640 } }, async ({ page }) => {
  await page.goto("/settings/notifications");
  await page.getByRole("button", { name: "Add quiet hours" }).press("Enter");
  const period = page.getByRole("group", { name: "Quiet hours 1" });
  await period.getByRole("checkbox", { name: "Sunday" }).press("Space");
  await period.getByText("Ends on the next day.").waitFor();
  await page.getByRole("combobox", { name: "Time zone" }).selectOption("Europe/Berlin");
  await page.getByLabel("Away until").fill("2030-01-01T08:00");
  await page.getByRole("button", { name: "Save", exact: true }).press("Enter");
  await page
    .getByText(/at most 400 days ahead/)
    .first()
    .waitFor();
  await page.getByLabel("Away until").fill("");
  await page.getByRole("button", { name: "Save", exact: true }).press("Enter");
  await page.getByText("Quiet hours saved").waitFor();
  await page.getByRole("combobox", { name: "When" }).selectOption("daily");
  await page.getByLabel("Time of the day").waitFor();
  const chosen = await preferences(page);
  assert.deepEqual(chosen.quietHours, [{ days: ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday"], from: "22:00", to: "07:00" }]);
  assert.equal(chosen.zone, "Europe/Berlin");
  assert.equal(chosen.mailDelay, "daily");
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
});
