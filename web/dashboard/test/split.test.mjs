// Splitting a conversation: by the keyboard from a chosen message, by the mouse at a message, in every tab at once; and
// taking it back, at once and later.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { openSuite, until } from "./start.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const { scene, api, desk } = await openSuite();

const notes = (page) => page.getByRole("region", { name: "Notifications" });
const words = (page) => page.getByRole("log").getByRole("article");
const lines = (page) => page.locator("[data-line]");
const dialog = (page) => page.getByRole("dialog", { name: "Split the conversation" });
const says = (page, content) => words(page).getByText(content, { exact: true }).waitFor();
const silent = (page, content) => until(`${content} is gone`, async () => (await words(page).getByText(content, { exact: true }).count()) === 0);
const person = async (name) => (await api.post("/v1/public/contacts", { name })).id;

/** A conversation in which a customer has said some things. */
async function talk(name, ...said) {
  const { id } = await api.post("/v1/public/conversations", { contactId: await person(name) });
  const messages = [];
  for (const content of said) messages.push((await api.post(`/v1/public/conversations/${id}/messages`, { content, role: "incoming" })).id);
  return { id, messages };
}

async function nothingIsWrong(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run({ resultTypes: ["violations"] }));
  assert.deepEqual(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`),
    [],
  );
}

/** The id of the conversation that is open, once it is another one than `other`. */
async function opened(page, other) {
  await page.waitForURL((url) => /^\/inbox\/[0-9a-f-]{36}$/.test(url.pathname) && !url.pathname.endsWith(other));
  return new URL(page.url()).pathname.split("/").at(-1);
}

scene("Shift+s splits the open conversation at a chosen message, z takes it back", async ({ page }) => {
  const { id } = await talk("Nora Twofold", "my parcel is late", "something else", "my invoice is wrong");
  await page.goto(`/inbox/${id}`);
  await says(page, "my invoice is wrong");
  await page.keyboard.press("Shift+s");
  await dialog(page)
    .getByRole("option", { name: /my invoice/ })
    .waitFor();
  assert.equal(
    await dialog(page)
      .getByRole("option", { name: /parcel/ })
      .count(),
    0,
    "the first message stays",
  );
  await nothingIsWrong(page);
  await page.keyboard.type("something");
  await until("one message is left", async () => (await dialog(page).getByRole("option").count()) === 1);
  await page.keyboard.press("Enter");
  await dialog(page).getByText("2 messages move to a new conversation with Nora Twofold, from this one on:").waitFor();
  await nothingIsWrong(page);
  await page.keyboard.press("Enter");
  await notes(page).getByText("2 messages split off · Nora Twofold").waitFor();
  await opened(page, id);
  await says(page, "something else");
  await says(page, "my invoice is wrong");
  await silent(page, "my parcel is late");
  await lines(page)
    .getByText(/split it from another one/)
    .waitFor();
  await nothingIsWrong(page);
  await page.keyboard.press("z");
  await notes(page).getByText("Taken back: 2 messages split off · Nora Twofold").waitFor();
  await page.waitForURL(`**/inbox/${id}`);
  await says(page, "my parcel is late");
  await says(page, "my invoice is wrong");
  assert.equal((await api.get(`/v1/public/conversations/${id}`)).status, "open");
});

scene("messages from before those that are shown can be chosen, and a word that nobody said finds none", async ({ page }) => {
  const { id } = await talk("Lena Longtalk", ...Array.from({ length: 60 }, (_, n) => `Message ${n + 1} of many`));
  await page.goto(`/inbox/${id}`);
  await says(page, "Message 60 of many");
  await page.keyboard.press("Shift+s");
  const option = (n) => dialog(page).getByRole("option", { name: new RegExp(`^Message ${n} of`) });
  await option(60).waitFor();
  assert.equal(await option(3).count(), 0);
  await dialog(page).getByRole("option", { name: "Show earlier messages" }).click();
  await option(3).waitFor();
  assert.equal(await dialog(page).getByRole("option", { name: "Show earlier messages" }).count(), 0, "there are no others");
  await page.keyboard.type("zebra");
  await dialog(page).getByText("No message says that.").waitFor();
  await page.getByRole("combobox", { name: /From which message/ }).fill("Message 3 of");
  await option(3).waitFor();
  await page.keyboard.press("Enter");
  await dialog(page).getByText("58 messages move to a new conversation with Lena Longtalk, from this one on:").waitFor();
  await page.keyboard.press("Enter");
  await notes(page).getByText("58 messages split off · Lena Longtalk").waitFor();
});

scene("a click at a message splits there, and other tabs follow", async ({ page, context }) => {
  const { id } = await talk("Ole Other", "first", "second", "third");
  const other = await context.newPage();
  await other.goto(`/inbox/${id}`);
  await says(other, "third");
  await page.goto(`/inbox/${id}`);
  await lines(page)
    .getByText(/started the conversation/)
    .waitFor(); // it comes above the messages, which move under the pointer
  await words(page).filter({ hasText: "third" }).hover();
  await words(page).filter({ hasText: "third" }).getByRole("button", { name: "Split from here" }).click();
  await dialog(page).getByText("One message moves to a new conversation with Ole Other:").waitFor();
  await dialog(page).getByRole("button", { name: "Move 1 message" }).click();
  const made = await opened(page, id);
  await silent(other, "third");
  await says(other, "second");
  await lines(other)
    .getByText(/split messages off into a new conversation/)
    .waitFor();
  await other
    .getByRole("link", { name: /Ole Other/ })
    .first()
    .waitFor();
  await until("both are in the list", async () => (await other.locator(`a[href^="/inbox/${made}"]`).count()) > 0);
  await other.getByRole("button", { name: "Open it" }).press("Enter");
  await says(other, "third");
  await other.getByRole("button", { name: "Open it" }).press("Enter");
  await says(other, "second");
  await nothingIsWrong(other);
  await other.getByRole("button", { name: "Merge it back" }).press("Enter");
  await notes(other).getByText("The conversations are one again").waitFor();
  await says(other, "third");
  await until("the button is gone", async () => (await other.getByRole("button", { name: "Merge it back" }).count()) === 0);
  await page.waitForURL(`**/inbox/${id}`); // its id leads there
});

scene("a split by a colleague moves what is open, and an address of a message leads on", { allow: [/404/] }, async ({ page }) => {
  const { id, messages } = await talk("Pia Permalink", "one", "two");
  await page.goto(`/inbox/${id}`);
  await says(page, "two");
  const made = await desk.post(`/v1/dashboard/conversations/${id}/split`, { messageId: messages[1] });
  await silent(page, "two");
  await says(page, "one");
  await page.goto(`/inbox/${id}?message=${messages[1]}`);
  await page.waitForURL((url) => url.pathname === `/inbox/${made.id}`);
  await says(page, "two");
});

scene("what cannot be split says why", { allow: [/409/] }, async ({ page }) => {
  const { id } = await talk("Quinn Spam", "buy", "now");
  await page.goto(`/inbox/${id}`);
  await says(page, "now");
  await desk.patch(`/v1/public/conversations/${id}`, { spam: true });
  await page.keyboard.press("Shift+s");
  await dialog(page).getByRole("option", { name: /now/ }).waitFor();
  await page.keyboard.press("Enter");
  await dialog(page).getByRole("button", { name: "Move 1 message" }).press("Enter");
  await dialog(page)
    .getByText(/marked as spam cannot be split/)
    .waitFor();
});

scene("on a phone the menu splits", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  const { id } = await talk("Rosa Phone", "here", "a very long word: " + "Donaudampfschifffahrtsgesellschaft".repeat(4));
  await page.goto(`/inbox/${id}`);
  await page.getByRole("button", { name: "More about this conversation" }).click();
  await page.getByRole("menuitem", { name: /Split the conversation/ }).click();
  await dialog(page).getByRole("option").first().click();
  await dialog(page).getByRole("button", { name: "Move 1 message" }).waitFor();
  await nothingIsWrong(page);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
  await dialog(page).getByRole("button", { name: "Move 1 message" }).click();
  await opened(page, id);
});
