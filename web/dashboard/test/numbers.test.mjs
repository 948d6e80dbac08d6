// Numbers of the messaging application, with the demo's phones on the other
// side: pairing, a group, messages in both directions, shown live.
import assert from "node:assert/strict";
import { openSuite, until } from "./start.mjs";

const { scene, api, token } = await openSuite();

const ownNumber = "+4930555020";
const mia = "4917655501";
const tomas = "4917655502";
const noor = "4917655503";

/** The demo's own number, once its phones have connected it. */
async function connectedNumber() {
  const number = () => api.get("/v1/public/chatapp/numbers").then(({ data }) => data.find(({ phone }) => phone === ownNumber));
  await until("the demo's number", async () => (await number())?.status === "connected", 40_000);
  return number();
}

const rowOf = (page, phone) => page.getByRole("list", { name: "Numbers" }).getByRole("listitem").filter({ hasText: phone });
const phoneOf = (page, name) => page.getByRole("region", { name });

/**
 * The page with the phones, all switched on, in a window of its own: a page behind another renders once a second, and a
 * click waits for that.
 */
async function openPhones(visit) {
  const page = await (await visit()).newPage();
  await page.goto("/phone");
  await phoneOf(page, /The company's phone/).waitFor({ timeout: 40_000 });
  return page;
}

/** Makes the network do something to the demo's number. */
async function ordain(page, order) {
  const answer = await page.request.post("/phone/network", { data: { phone: ownNumber, ...order } });
  assert.equal(answer.status(), 204, await answer.text());
}

const said = (phone, text) => phone.getByRole("list", { name: "Messages" }).getByText(text);

async function writeOn(phone, text) {
  const field = phone.getByRole("textbox", { name: "Message", exact: true });
  await field.fill(text);
  await field.press("Enter");
}

scene("a number is added and paired by a code, and everybody sees it", { allow: [/Failed to load resource.*404/] }, async ({ page, visit }) => {
  const phone = "+4930555021";
  await connectedNumber();
  await page.goto("/settings/numbers");
  await page.getByText("This WhatsApp client is unofficial").waitFor();
  await page.getByRole("button", { name: "Connect a number" }).click();
  const form = page.getByRole("dialog", { name: "Connect a number" });
  await form.getByText("This WhatsApp client is unofficial.").waitFor();
  await form.getByRole("textbox", { name: "Phone number" }).fill(phone);
  await form.getByRole("button", { name: "Continue" }).click();
  await form.waitFor({ state: "detached" });
  const pairing = page.getByRole("region", { name: `Pairing of ${phone}` });
  const code = pairing.getByRole("img", { name: `QR code to pair ${phone}` });
  await code.waitFor();
  assert.match(await code.locator("path").getAttribute("d"), /^M4 4h7v1h-7z/, "the finder of the upper left corner");
  await page.reload();
  await code.waitFor();

  await pairing.getByRole("button", { name: "Use a code to type instead" }).click();
  const typed = pairing.getByRole("status", { name: "Code to type on the phone" });
  await typed.waitFor();
  const text = await typed.innerText();
  assert.match(text, /^[A-Z0-9]{4}-[A-Z0-9]{4}$/);
  const phones = await openPhones(visit);
  const company = phoneOf(phones, /The company's phone/);
  await company.getByText("The dashboard shows a code to type.").waitFor();
  assert.ok(!(await phones.content()).includes(text), "the page of the phones knows the code");
  await company.getByRole("textbox", { name: "Code" }).fill(text);
  await company.getByRole("button", { name: "Enter" }).click();
  await rowOf(page, phone).getByText("Connected", { exact: true }).waitFor();
  await pairing.waitFor({ state: "detached" });
  await company.getByRole("combobox", { name: "Number" }).getByText(`${phone} · connected`).waitFor({ state: "attached" });
});

scene("a group is created, customers and the desk write, join and leave", async ({ page, visit }) => {
  const { id } = await connectedNumber();
  const phones = await openPhones(visit);
  const group = await api.post("/v1/public/chatapp/groups", { name: "Order 1042", participants: [mia, tomas, "4917655599"], integrationId: id, message: "Welcome to your order" });
  assert.deepEqual([group.added.sort(), group.not_on_chatapp], [[mia, tomas], ["4917655599"]]);
  await page.goto(`/inbox/${group.conversation_id}?status=open`);
  const log = page.getByRole("log", { name: "Messages" });

  // Sent, delivered and read.
  const first = log.getByRole("article").filter({ hasText: "Welcome to your order" });
  await first.getByRole("img", { name: "Delivered" }).waitFor();
  const miaPhone = phoneOf(phones, "The phone of Mia Sommer");
  await miaPhone.getByRole("button", { name: /Order 1042/ }).click();
  await said(miaPhone, "Welcome to your order").waitFor();
  await first.getByRole("img", { name: "Read" }).waitFor();

  await writeOn(miaPhone, "Does it come on Friday?");
  await log
    .getByRole("article", { name: /Mia Sommer/ })
    .getByText("Does it come on Friday?")
    .waitFor();
  const tomasPhone = phoneOf(phones, "The phone of Tomás Vidal");
  await tomasPhone.getByRole("button", { name: /Order 1042/ }).click();
  await said(tomasPhone, "Does it come on Friday?").waitFor();
  await page
    .getByRole("textbox", { name: /message|reply/i })
    .last()
    .fill("Yes, before noon.");
  await page.keyboard.press("Control+Enter");
  await said(miaPhone, "Yes, before noon.").waitFor();
  await said(tomasPhone, "Yes, before noon.").waitFor();

  // A picture is sent from phone to phone.
  const dot = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==", "base64");
  await miaPhone.locator("input[type=file]").setInputFiles({ name: "dot.png", mimeType: "image/png", buffer: dot });
  await tomasPhone.getByRole("img", { name: "Picture" }).waitFor();
  // It also arrives at the desk, and one is sent from there.
  const came = log.getByRole("article", { name: /Mia Sommer/ }).getByRole("img", { name: "picture.png" });
  await until("the picture at the desk", () => came.evaluate((image) => image.complete && image.naturalWidth === 1));
  await page.locator("input[type=file]").setInputFiles({ name: "map.png", mimeType: "image/png", buffer: dot });
  await page.getByRole("list", { name: "Attached files" }).getByRole("listitem").waitFor();
  await page.getByRole("button", { name: "Send", exact: true, disabled: false }).click();
  const sent = log.getByRole("article").filter({ has: page.getByRole("img", { name: "map.png" }) });
  await sent.getByRole("img", { name: /Delivered|Read/ }).waitFor();
  await until("the picture on the phone", async () => (await miaPhone.getByRole("img", { name: "Picture" }).count()) === 2);

  // A person with the link can join, and any member can leave.
  const noorPhone = phoneOf(phones, "The phone of Noor Haddad");
  const link = noorPhone.getByRole("textbox", { name: "Invite link" });
  await link.fill(group.invite_link);
  await link.press("Enter");
  await noorPhone.getByRole("button", { name: /Order 1042/ }).click();
  await log.getByText(/Noor Haddad.*joined|17655503.*joined/).waitFor();
  await writeOn(noorPhone, "Hello everybody");
  await log.getByText("Hello everybody").waitFor();
  await tomasPhone.getByRole("button", { name: "Leave" }).click();
  await tomasPhone.getByText("No member any more").waitFor();
  await tomasPhone.getByRole("button", { name: "Leave" }).waitFor({ state: "hidden" });
  await log.getByText(/Tomás Vidal.*left|17655502.*left/).waitFor();
});

scene("a customer and the company's own phone write one to one", async ({ page, visit }) => {
  await connectedNumber();
  const phones = await openPhones(visit);
  const noorPhone = phoneOf(phones, "The phone of Noor Haddad");
  await noorPhone.getByRole("button", { name: "Write to the company" }).click();
  await writeOn(noorPhone, "Is the stove in stock?");
  const conversation = await until("the conversation", async () =>
    (await api.get("/v1/public/conversations?status=open&limit=20")).data.find(({ contact }) => contact.phoneNumber?.endsWith("4917655503")),
  );
  await page.goto(`/inbox/${conversation.id}?status=open`);
  const log = page.getByRole("log", { name: "Messages" });
  await log.getByText("Is the stove in stock?").waitFor();
  const company = phoneOf(phones, /The company's phone/);
  await company.getByRole("button", { name: /Noor Haddad/ }).click();
  await writeOn(company, "Yes, four of them.");
  await log
    .getByRole("article", { name: /Message from Phone/ })
    .getByText("Yes, four of them.")
    .waitFor();
  await said(noorPhone, "Yes, four of them.").waitFor();
});

scene("a number is disconnected, connected again, logged out, and paired by its QR code", { allow: [/Failed to load resource.*404/] }, async ({ page, visit }) => {
  await connectedNumber();
  const phones = await openPhones(visit);
  await page.goto("/settings/numbers");
  const row = rowOf(page, ownNumber);
  const choose = async (name) => {
    await row.getByRole("button", { name: `Actions for ${ownNumber}` }).click();
    await page.getByRole("menuitem", { name }).click();
  };
  await row.getByText("Connected", { exact: true }).waitFor();
  await choose("Disconnect");
  await row.getByText("Disconnected", { exact: true }).waitFor();
  await row.getByRole("button", { name: "Reconnect" }).click();
  await row.getByText("Connected", { exact: true }).waitFor();
  await choose("Log out …");
  await page
    .getByRole("dialog", { name: `Log out ${ownNumber}?` })
    .getByRole("button", { name: "Log out" })
    .click();
  await row.getByText("Logged out", { exact: true }).waitFor();

  await row.getByRole("button", { name: "Pair" }).click();
  await page.getByRole("img", { name: `QR code to pair ${ownNumber}` }).waitFor();
  const company = phoneOf(phones, /The company's phone/);
  await company.getByText("The dashboard shows a QR code.").waitFor();
  await company.getByRole("button", { name: "Scan" }).click();
  await row.getByText("Connected", { exact: true }).waitFor();
});

scene("a ban shows at once, and ends automatically", { allow: [/Failed to load resource.*404/] }, async ({ page, visit }) => {
  const { inboxId } = await connectedNumber();
  const conversation = (await api.get(`/v1/public/conversations?inboxId=${inboxId}&limit=1`)).data[0];
  const phones = await openPhones(visit);
  await page.goto("/settings/numbers");
  const row = rowOf(page, ownNumber);
  await row.getByText("Connected", { exact: true }).waitFor();
  await ordain(phones, { do: "ban", seconds: 12 });
  await row.getByText("Banned", { exact: true }).waitFor();
  await row.getByText(/^Until .* Messages wait until then\.$/).waitFor();
  await phones
    .getByRole("region", { name: `The network and ${ownNumber}` })
    .getByText(/banned until/)
    .waitFor();
  // A member who writes to a customer sees why the answer is delayed, and it is sent in the end.
  const desk = await (await visit({ token })).newPage();
  await desk.goto(`/inbox/${conversation.id}`);
  await desk.getByText(`${ownNumber}: Banned.`).waitFor();
  await desk
    .getByRole("textbox", { name: /message|reply/i })
    .last()
    .fill("We shall be back.");
  await desk.keyboard.press("Control+Enter");
  const answer = desk.getByRole("log", { name: "Messages" }).getByRole("article").filter({ hasText: "We shall be back." });
  await answer.getByRole("img", { name: "Queued" }).waitFor();
  await row.getByText("Connected", { exact: true }).waitFor();
  await answer.getByRole("img", { name: /Delivered|Read/ }).waitFor();
  await desk.getByText(`${ownNumber}: Banned.`).waitFor({ state: "detached" });
});

scene("a message that the network refuses says why", async ({ page, visit }) => {
  const { inboxId } = await connectedNumber();
  const conversation = (await api.get(`/v1/public/conversations?inboxId=${inboxId}&limit=1`)).data[0];
  const phones = await openPhones(visit);
  const fate = phones.getByRole("region", { name: `The network and ${ownNumber}` });
  await fate.getByRole("combobox", { name: "Requests" }).selectOption("messages");
  await fate.getByRole("combobox", { name: "Code" }).selectOption("406");
  await fate.getByRole("button", { name: "Refuse", exact: true }).click();
  await fate.getByText("sending a message: refused with 406, 1 time more").waitFor();
  await page.goto(`/inbox/${conversation.id}`);
  await page
    .getByRole("textbox", { name: /message|reply/i })
    .last()
    .fill("This one is refused.");
  await page.keyboard.press("Control+Enter");
  const refused = page.getByRole("log", { name: "Messages" }).getByRole("article").filter({ hasText: "This one is refused." });
  await refused.getByText(/Not delivered: .*\w/).waitFor();
  await fate.getByText("refused with 406").waitFor({ state: "detached" });
});

scene("a group is created in the dashboard, and a participant who cannot be added joins with the card", async ({ page, visit }) => {
  await connectedNumber();
  const phones = await openPhones(visit);
  await page.goto("/settings/numbers");
  await page.getByRole("button", { name: "New group" }).click();
  const form = page.getByRole("dialog", { name: "New group" });
  await form.getByRole("textbox", { name: "Group name" }).fill("Order 2000");
  await form.getByRole("textbox", { name: "Participants" }).fill(`${mia}\n${noor}`);
  await form.getByRole("combobox", { name: "Hosted by" }).selectOption({ label: ownNumber });
  await form.getByText("This WhatsApp client is unofficial.").waitFor();
  await form.getByRole("checkbox", { name: /invite link/ }).check();
  await form.getByRole("button", { name: "Create group" }).click();
  const made = page.getByRole("dialog", { name: "Group created" });
  await made.getByText("Must use the link").waitFor();
  await made.getByText("Link sent to").waitFor();
  await made.getByRole("link", { name: "Open the conversation" }).click();
  const noorPhone = phoneOf(phones, "The phone of Noor Haddad");
  await noorPhone.getByRole("button", { name: /Northwind Outfitters/ }).click();
  await noorPhone.getByRole("button", { name: "Join the group" }).last().click();
  await page
    .getByRole("log", { name: "Messages" })
    .getByText(/(Noor Haddad|17655503).*joined/)
    .waitFor();
});

scene("limits show what is used and are edited in place", async ({ page }) => {
  await connectedNumber();
  await page.goto("/settings/numbers");
  await rowOf(page, ownNumber)
    .getByRole("button", { name: `Actions for ${ownNumber}` })
    .click();
  await page.getByRole("menuitem", { name: "Limits" }).click();
  const limits = page.getByRole("region", { name: `Limits of ${ownNumber}` });
  const perHour = limits.getByRole("textbox", { name: "Groups in an hour: limit" });
  assert.equal(await perHour.inputValue(), "5");
  await perHour.fill("many");
  await perHour.press("Enter");
  await limits.getByText(/whole number/).waitFor();
  await perHour.fill("8");
  await perHour.press("Enter");
  await limits.getByText(/of 8 used/).waitFor();
  await perHour.fill("");
  await perHour.press("Enter");
  await until("the usual limit", async () => (await perHour.inputValue()) === "5");
});

scene("another site can do nothing with the phones", { allow: [/Failed to load resource.*403/] }, async ({ server }) => {
  const answer = await fetch(`${server.origin}/phone/messages`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" },
    body: JSON.stringify({ phone: mia, chat: "4930555020", text: "Hi" }),
  });
  assert.equal(answer.status, 403);
});
