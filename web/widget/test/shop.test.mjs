// A customer in the shop and an agent in the dashboard.
import assert from "node:assert/strict";
import { openSuite, until } from "../../dashboard/test/start.mjs";
import { begin, messages, openChat, write } from "./shop.mjs";

const { scene, api, desk } = await openSuite();
const shopTime = 5_000;

scene("a signed customer of a new organization writes in the shop; the agent sees it live and answers", async ({ page, visit }) => {
  const companies = async () => (await api.get("/v1/public/companies?limit=100")).data.filter(({ name }) => name === "Linden Garden Supply");
  assert.deepEqual(await companies(), [], "the organization is new");
  await page.goto("/inbox?status=open");
  await page.getByRole("list", { name: "All open" }).getByRole("listitem").first().waitFor();

  const shop = await (await visit()).newPage();
  await shop.goto("/shop");
  const chat = await openChat(shop);
  await chat.getByText("Hello! Ask us about kit").waitFor();
  await write(chat, "Four tents came instead of five.");

  const row = page.getByRole("list", { name: "All open" }).getByRole("listitem").filter({ hasText: "Mara Okafor" });
  await row.waitFor({ timeout: shopTime });
  await row.getByRole("link").click();
  const contact = page.getByRole("complementary", { name: "Contact" });
  await contact.getByRole("link", { name: "Mara Okafor" }).waitFor();
  await contact.getByRole("link", { name: "Linden Garden Supply" }).waitFor();
  await contact.getByText("mara.okafor@lindengarden.example").waitFor();
  await contact.getByText("shop-1041").waitFor();
  assert.deepEqual(
    (await companies()).map(({ externalId }) => externalId),
    ["org-20417"],
  );

  // Each sees the other typing.
  await chat.getByRole("textbox", { name: "Message" }).pressSequentially("And");
  await page.getByText("Mara Okafor is writing …").waitFor({ timeout: shopTime });
  await page.getByRole("textbox", { name: "Reply" }).pressSequentially("Sorry for");
  await chat.getByText("Ann Lindqvist is writing …").waitFor({ timeout: shopTime });

  await page.getByRole("textbox", { name: "Reply" }).fill("It ships today.");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await messages(chat).filter({ hasText: "It ships today." }).waitFor({ timeout: shopTime });
  assert.equal(await chat.getByRole("heading", { level: 1 }).innerText(), "Ann Lindqvist");
  await chat.getByText("Ann Lindqvist is writing …").waitFor({ state: "detached" });
  // The customer has seen it, and the agent sees that.
  const answer = page.getByRole("log").getByRole("article").filter({ hasText: "It ships today." });
  await answer.getByRole("img", { name: "Read" }).or(answer.getByTitle("Read")).or(answer.getByLabel("Read")).first().waitFor({ timeout: shopTime });
});

scene("typing a private note is not shown to the customer, and the note stays private", async ({ page, visit }) => {
  const shop = await (await visit()).newPage();
  await shop.goto("/shop?as=jonas");
  const chat = await openChat(shop);
  await write(chat, "Do you restock the boots?");
  await page.goto("/inbox?status=open");
  await page.getByRole("list", { name: "All open" }).getByRole("listitem").filter({ hasText: "Jonas Weber" }).getByRole("link").click();
  await page.getByRole("radio", { name: "Private note" }).click();
  await page.getByRole("textbox", { name: "Private note" }).pressSequentially("He asks every week");
  await page.getByRole("button", { name: "Add note" }).click();
  await page.getByRole("radio", { name: "Reply" }).click();
  await page.getByRole("textbox", { name: "Reply" }).fill("On Monday.");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await messages(chat).filter({ hasText: "On Monday." }).waitFor();
  assert.equal(await messages(chat).count(), 2);
  await shop.reload();
  await shop.frameLocator("iframe").getByText("On Monday.").first().waitFor();
  assert.equal(await shop.frameLocator("iframe").getByText("every week").count(), 0);
});

scene("unread messages show on the button, and in the shop's own page", async ({ visit }) => {
  const shop = await (await visit()).newPage();
  await shop.goto("/shop?as=visitor");
  const chat = await openChat(shop);
  await write(chat, "Is the pack waterproof?");
  await messages(chat)
    .filter({ hasText: /AM|PM|\d:\d/ })
    .waitFor();
  await chat.getByRole("button", { name: "Close the chat" }).click();
  const [{ id }] = (await api.get("/v1/public/conversations?status=open&limit=1")).data;
  await desk.post(`/v1/public/conversations/${id}/messages`, { content: "It comes with a rain cover." });
  await shop.getByRole("button", { name: "Open Northwind Outfitters, 1 unread" }).waitFor();
  await shop.getByRole("button", { name: "Help (1)" }).click();
  await messages(chat).filter({ hasText: "rain cover" }).waitFor();
  await shop.getByRole("button", { name: "Help", exact: true }).waitFor();
  await until("the mark of reading", async () => (await api.get(`/v1/public/conversations/${id}`)).messages.data.at(-1).status === "read");
});

scene("a conversation that the team deletes leaves the open chat, and the customer can write anew", { allow: [/404/] }, async ({ visit }) => {
  const shop = await (await visit()).newPage();
  await shop.goto("/shop?as=visitor");
  const chat = await openChat(shop);
  await write(chat, "My card number is 4111.");
  await messages(chat).filter({ hasText: /\d:\d/ }).waitFor();
  const [before] = (await api.get("/v1/public/conversations?status=open&limit=1")).data;
  await desk.delete(`/v1/dashboard/conversations/${before.id}`);
  await chat.getByText("My card number").waitFor({ state: "detached", timeout: shopTime });
  await write(chat, "Is anybody there?");
  await chat.getByText("Is anybody there?").first().waitFor();
  const after = await until("the new conversation", async () => {
    const [newest] = (await api.get("/v1/public/conversations?status=open&limit=1")).data;
    return (await api.get(`/v1/public/conversations/${newest.id}`)).messages.data[0].content === "Is anybody there?" && newest;
  });
  assert.notEqual(after.id, before.id);
  await shop.reload();
  const again = shop.frameLocator("iframe");
  await again.getByText("Is anybody there?").first().waitFor();
  assert.equal(await again.getByText("My card number").count(), 0);
});

scene("a visitor who signs in later keeps the conversation, and nobody is duplicated", async ({ visit }) => {
  const context = await visit();
  const shop = await context.newPage();
  await shop.goto("/shop?as=visitor");
  const chat = await openChat(shop);
  await write(chat, "I wrote this before I signed in.");
  await messages(chat).filter({ hasText: /\d:\d/ }).waitFor();
  const [before] = (await api.get("/v1/public/conversations?status=open&limit=1")).data;
  await shop.getByRole("link", { name: "Jonas Weber" }).click();
  await shop.waitForURL(/as=jonas/);
  await messages(shop.frameLocator("iframe")).filter({ hasText: "before I signed in" }).waitFor();
  const moved = await until("the contact", async () => {
    const conversation = await api.get(`/v1/public/conversations/${before.id}`);
    return conversation.contact.name === "Jonas Weber" && conversation;
  });
  assert.notEqual(moved.contact.id, before.contact.id);
  assert.equal((await api.get(`/v1/public/contacts/${before.contact.id}`)).id, moved.contact.id, "the visitor has become the customer");
  // The next person in this browser, without an identity, sees none of it.
  await shop.goto("/shop?as=visitor");
  await shop.getByRole("button", { name: /^(Open|Close) / }).waitFor();
  const next = shop.frameLocator("iframe");
  await next.getByText("Hello! Ask us about kit").waitFor();
  assert.equal(await next.getByText("before I signed in").count(), 0);
});

scene("files are sent in both directions", async ({ page, visit }) => {
  const shop = await (await visit()).newPage();
  await shop.goto("/shop?as=mara");
  const chat = await openChat(shop);
  await begin(chat);
  const png = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==", "base64");
  await chat.locator("input[type=file]").setInputFiles([
    { name: "label.png", mimeType: "image/png", buffer: png },
    { name: "list.html", mimeType: "text/html", buffer: Buffer.from("<script>alert(1)</script>") },
  ]);
  await chat.getByRole("list", { name: "Files to send" }).getByText("label.png").waitFor();
  await chat.getByRole("button", { name: "Send", disabled: false }).click();
  const sent = messages(chat).filter({ has: chat.getByRole("img", { name: "label.png" }) });
  await sent.waitFor();
  await sent.getByRole("link", { name: /list\.html/ }).waitFor();
  await page.goto("/inbox?status=open");
  await page.getByRole("list", { name: "All open" }).getByRole("listitem").filter({ hasText: "Mara Okafor" }).first().getByRole("link").click();
  await page.getByRole("log").getByRole("img", { name: "label.png" }).waitFor();
});
