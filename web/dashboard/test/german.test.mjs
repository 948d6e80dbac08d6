// The dashboard in German: chosen in the profile or by the browser, and complete.
import assert from "node:assert/strict";
import { openSuite } from "./start.mjs";

const { scene, api } = await openSuite();
const language = (page) => page.evaluate(() => document.documentElement.lang);

scene("a member chooses German, works in it, and goes back", { allow: [/409|400/] }, async ({ page }) => {
  await page.goto("/settings/profile");
  assert.equal(await language(page), "en");
  await page.getByRole("combobox", { name: "Language" }).selectOption("Deutsch");
  await page.getByRole("heading", { name: "Ihr Profil" }).waitFor();
  assert.equal(await language(page), "de");

  const [{ id }] = (await api.get("/v1/public/conversations?limit=1")).data;
  await page.goto(`/inbox/${id}`);
  await page.getByRole("textbox", { name: "Antwort" }).waitFor();
  await page.getByRole("button", { name: /^(?:Lösen|Wieder öffnen)$/ }).waitFor();
  await page
    .getByRole("region", { name: "Passende Artikel" })
    .or(page.getByRole("heading", { name: "Andere Unterhaltungen" }))
    .first()
    .waitFor();
  // A key, a dialog in a script of its own, and a refusal in words of its own.
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog", { name: "Suche und Befehle" }).waitFor();
  await page.keyboard.press("Escape");
  await page.goto("/reports");
  await page.getByText("Zeit bis zur ersten Antwort").first().waitFor();
  await page.goto("/settings/labels");
  const dialog = page.getByRole("dialog");
  for (let n = 0; n < 2; n++) {
    await page.getByRole("button", { name: "Neues Label" }).click();
    await dialog.getByLabel("Name").fill("doppelt");
    await dialog.getByRole("button", { name: "Label anlegen" }).click();
    await (n === 0 ? page.getByText("doppelt").first() : dialog.getByText("Dieser Name ist schon vergeben.")).waitFor();
    if (n === 0) await dialog.waitFor({ state: "hidden" });
  }
  await page.keyboard.press("Escape");

  await page.goto("/settings/profile");
  await page.getByRole("combobox", { name: "Sprache" }).selectOption("Wie der Browser");
  await page.getByRole("heading", { name: "Your profile" }).waitFor();
});
