// Merging conversations of one contact, by the keyboard, from the open conversation and from a selection; and taking them
// apart again, at once and later.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { openSuite, until } from "./start.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const { scene, api, desk } = await openSuite();

const notes = (page) => page.getByRole("region", { name: "Notifications" });
const words = (page) => page.getByRole("log").getByRole("article");
const lines = (page) => page.locator("[data-line]");
const talk = async (contactId, content, labels = []) => {
  const { id } = await api.post("/v1/public/conversations", { contactId, labels });
  await api.post(`/v1/public/conversations/${id}/messages`, { content, role: "incoming" });
  return id;
};
const person = async (name) => (await api.post("/v1/public/contacts", { name })).id;
const says = (page, content) => words(page).getByText(content, { exact: true }).waitFor();
const single = (id) => until("it is one of its own", async () => (await api.get(`/v1/public/conversations/${id}`)).id === id);

async function nothingIsWrong(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run({ resultTypes: ["violations"] }));
  assert.deepEqual(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`),
    [],
  );
}

scene("Shift+m merges the open conversation into another one, z takes it back", async ({ page }) => {
  const contact = await person("Merle Twice");
  const kept = await talk(contact, "my parcel is late");
  const open = await talk(contact, "are you there?");
  await page.goto(`/inbox/${open}`);
  await says(page, "are you there?");
  await page.keyboard.press("Shift+m");
  const dialog = page.getByRole("dialog", { name: "Merge with another conversation" });
  await dialog.getByRole("option", { name: /my parcel is late/ }).waitFor();
  await nothingIsWrong(page);
  await page.keyboard.press("Enter");
  await notes(page).getByText("2 conversations merged · Merle Twice").waitFor();
  await page.waitForURL(`**/inbox/${kept}`);
  await says(page, "my parcel is late");
  await says(page, "are you there?");
  await page.keyboard.press("z");
  await notes(page).getByText("Taken back: 2 conversations merged · Merle Twice").waitFor();
  await page.waitForURL(`**/inbox/${open}`);
  await says(page, "are you there?");
  await until("one message", async () => (await words(page).count()) === 1);
  await single(open);
});

scene("an address of a merged conversation leads on, what comes is seen, and the line takes it apart", async ({ page }) => {
  const contact = await person("Nele Later");
  const kept = await talk(contact, "first subject");
  const merged = await talk(contact, "second subject");
  await page.goto(`/inbox/${kept}`);
  await says(page, "first subject");
  await desk.post(`/v1/dashboard/conversations/${merged}/merge`, { intoId: kept });
  await says(page, "second subject"); // the open page follows
  await api.post(`/v1/public/conversations/${merged}/messages`, { content: "third", role: "incoming" });
  await says(page, "third");
  await page.goto(`/inbox/${merged}`);
  await page.waitForURL(`**/inbox/${kept}`);
  await says(page, "second subject");
  await lines(page)
    .getByText(/merged another conversation into this one/)
    .waitFor();
  await nothingIsWrong(page);
  await page.getByRole("button", { name: "Undo the merge" }).press("Enter");
  await notes(page).getByText("The conversations are two again").waitFor();
  await until("the message is gone", async () => (await words(page).getByText("second subject", { exact: true }).count()) === 0);
  await says(page, "third");
  await single(merged);
});

scene("a selection is merged into the latest, and only of one contact", async ({ page }) => {
  const [contact, other] = [await person("Ole Often"), await person("Ada Else")];
  const ids = [];
  for (const content of ["one", "two", "three"]) ids.push(await talk(contact, content, ["merging"]));
  await talk(other, "not mine", ["merging"]);
  await page.goto("/inbox?status=open&label=merging");
  await page.locator(`[data-row="${ids[0]}"]`).waitFor();
  await until("four", async () => (await page.locator("[data-row]").count()) === 4);
  await page.keyboard.press("Shift+x");
  await page.getByRole("toolbar", { name: "Selection" }).getByText("4 selected").waitFor();
  await page.keyboard.press("Shift+m");
  await notes(page).getByText("Only conversations of one contact and inbox can be merged").waitFor();
  await page.locator(`[data-row]`, { hasText: "Ada Else" }).locator("[data-select]").click();
  await page.getByRole("toolbar", { name: "Selection" }).getByText("3 selected").waitFor();
  await page.getByRole("button", { name: "Merge them into the latest" }).click();
  await notes(page).getByText("3 conversations merged · Ole Often").waitFor();
  await page.mouse.move(1200, 700); // the list stays as it is under the pointer
  await until("one row of them", async () => (await page.locator("[data-row]", { hasText: "Ole Often" }).count()) === 1);
  const merged = await api.get(`/v1/public/conversations/${ids[0]}`);
  assert.deepEqual([merged.id, merged.messages.data.map(({ content }) => content)], [ids[2], ["one", "two", "three"]]);
  await page.keyboard.press("z");
  for (const id of ids) await single(id);
  await until("all rows are back", async () => (await page.locator("[data-row]", { hasText: "Ole Often" }).count()) === 3);
});

scene("on a phone of 320 px the dialog has all of it, and keeps the open conversation", { viewport: { width: 320, height: 640 } }, async ({ page }) => {
  const contact = await person("Pia Small");
  const other = await talk(contact, "a long question ".repeat(12).trim());
  const open = await talk(contact, "short");
  await page.goto(`/inbox/${open}`);
  await says(page, "short");
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: /Merge with/ }).click();
  const dialog = page.getByRole("dialog", { name: "Merge with another conversation" });
  await dialog.getByRole("option").waitFor();
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= 320));
  await nothingIsWrong(page);
  await dialog.getByRole("checkbox", { name: /Keep this conversation/ }).check();
  await dialog.getByRole("option").click();
  await notes(page).getByText("2 conversations merged · Pia Small").waitFor();
  assert.equal((await api.get(`/v1/public/conversations/${other}`)).id, open);
  await until("both messages", async () => (await words(page).count()) === 2);
});

scene("in German", async ({ visit, token }) => {
  const contact = await person("Grete Doppelt");
  const kept = await talk(contact, "erste Frage");
  const open = await talk(contact, "zweite Frage");
  const page = await (await visit({ token, locale: "de-DE" })).newPage();
  await page.goto(`/inbox/${open}`);
  await says(page, "zweite Frage");
  await page.keyboard.press("Shift+m");
  await page.getByRole("option", { name: /erste Frage/ }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByText("2 Unterhaltungen zusammengeführt · Grete Doppelt").waitFor();
  await page.waitForURL(`**/inbox/${kept}`);
  await page.getByRole("button", { name: "Zusammenführung aufheben" }).click();
  await page.getByText("Die Unterhaltungen sind wieder zwei").waitFor();
  await single(open);
});
