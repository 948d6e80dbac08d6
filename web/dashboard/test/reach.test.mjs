// A new conversation offers the ways in which the contact can be reached.
import assert from "node:assert/strict";
import { openSuite, until } from "./start.mjs";

const { scene, api, desk } = await openSuite();

/** Opens the dialog with its shortcut and chooses a contact. */
async function choose(page, name) {
  await until("the index knows the contact", async () => (await desk.get(`/v1/dashboard/contacts?search=${encodeURIComponent(name)}`)).data.length > 0);
  await page.goto("/contacts");
  await page.getByRole("list", { name: "Contacts" }).getByRole("listitem").first().waitFor();
  await page.keyboard.press("c");
  const dialog = page.getByRole("dialog", { name: "New conversation" });
  await dialog.getByRole("combobox", { name: "Contact" }).fill(name);
  await page.getByRole("option", { name: new RegExp(name) }).click();
  return dialog;
}

const start = (dialog) => dialog.getByRole("button", { name: "Start conversation" });

scene("a contact without a phone and a chat cannot be reached, and the page says so", async ({ page }) => {
  const { id } = await api.post("/v1/public/contacts", { name: "Nia Nowhere", email: "nia@nowhere.example" });
  const dialog = await choose(page, "Nia Nowhere");
  await dialog.getByText("Nia Nowhere cannot be reached from here.").waitFor();
  assert.equal(await dialog.getByRole("combobox", { name: "Inbox" }).count(), 0);
  await start(dialog).click();
  await dialog.getByText("Choose a contact who can be reached.").waitFor();
  assert.equal((await api.get(`/v1/public/conversations?contactId=${id}`)).data.length, 0);
});

scene("a contact with a phone is reached by WhatsApp, by keyboard", async ({ page }) => {
  const { id } = await api.post("/v1/public/contacts", { name: "Pia Phone", phoneNumber: "+4915123450011" });
  const dialog = await choose(page, "Pia Phone");
  await dialog.getByText(/Goes to \+4915123450011 by WhatsApp/).waitFor();
  await dialog.getByRole("textbox", { name: "First message" }).focus();
  await page.keyboard.type("Your parcel is here");
  await page.keyboard.press("Tab");
  await start(dialog).focus();
  await page.keyboard.press("Enter");
  await page
    .getByRole("article", { name: /^Message from/ })
    .getByText("Your parcel is here")
    .waitFor();
  const [made] = (await api.get(`/v1/public/conversations?contactId=${id}`)).data;
  assert.equal(made.inbox.channelType, "chatapp");
  await until("it is sent", async () => (await api.get(`/v1/public/conversations/${made.id}`)).messages.data.some(({ content, status }) => content === "Your parcel is here" && status !== "queued"));
});

scene("a contact of a program is reached by it; the text survives a refusal", { allow: [/Failed to load resource/, /^answer: 503/] }, async ({ page, context }) => {
  const contact = await api.post("/v1/public/contacts", { name: "Ali Api", email: "ali@api.example" });
  const { id } = await api.post("/v1/public/conversations", { contactId: contact.id });
  await api.post(`/v1/public/conversations/${id}/messages`, { content: "hello", role: "incoming" });
  let dialog = await choose(page, "Ali Api");
  await dialog.getByText("Goes through the program that brought the contact’s earlier messages.").waitFor();
  await dialog.getByRole("textbox", { name: "First message" }).fill("A long letter");
  const down = (route) => (route.request().method() === "POST" ? route.fulfill({ status: 503, json: { error: "the server is busy" } }) : route.continue());
  await context.route("**/conversations", down);
  await start(dialog).click();
  await dialog.getByText(/The server has a problem/).waitFor();
  await context.unroute("**/conversations", down);
  dialog = await choose(page, "Ali Api");
  await until("the text is there", async () => (await dialog.getByRole("textbox", { name: "First message" }).inputValue()) === "A long letter");
  await start(dialog).click();
  await page
    .getByRole("article", { name: /^Message from/ })
    .getByText("A long letter")
    .waitFor();
});
