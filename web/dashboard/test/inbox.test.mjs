// A day at the inbox: messages arrive, are answered and sorted.
import assert from "node:assert/strict";
import { openSuite, until } from "./start.mjs";

const { scene, api } = await openSuite();

/** Creates a contact with a conversation and its first message, and opens it. */
async function talk(page, name, content) {
  const contact = await api.post("/v1/public/contacts", { name, email: `${name.toLowerCase().replaceAll(/[^a-z]+/g, ".")}@example.org` });
  const conversation = await api.post("/v1/public/conversations", { contactId: contact.id });
  await api.post(`/v1/public/conversations/${conversation.id}/messages`, { content, role: "incoming" });
  if (page) {
    await page.goto(`/inbox/${conversation.id}?status=open`);
    await page.getByRole("article").getByText(content, { exact: true }).waitFor();
  }
  return { contact, conversation, path: `/v1/public/conversations/${conversation.id}` };
}

const reply = (page) => page.getByRole("textbox", { name: "Reply" });
const bubble = (page, text) => page.getByRole("article").getByText(text, { exact: true });

scene("a message from the API arrives live: in the list and in the open conversation", async ({ page }) => {
  await page.goto("/inbox?status=open");
  const list = page.getByRole("list", { name: "All open" });
  await list.getByRole("listitem").first().waitFor();
  await page.evaluate(() => (window.sameDocument = true));
  const { path } = await talk(null, "Lena Live", "Do you ship to Malta?");
  const row = list.getByRole("link", { name: /Lena Live/ });
  await row.getByText("Do you ship to Malta?").waitFor();
  await row.getByText("1 unread").waitFor();
  assert.match(await list.getByRole("listitem").first().innerText(), /Lena Live/, "the newest stands at the top");
  await row.click();
  await bubble(page, "Do you ship to Malta?").waitFor();
  await api.post(`${path}/messages`, { content: "And to Gozo?", role: "incoming" });
  await bubble(page, "And to Gozo?").waitFor();
  await until("the open conversation is read", async () => (await api.get(path)).unreadCount === 0);
  assert.equal(await page.evaluate(() => window.sameDocument), true, "the page was loaded anew");
});

scene("an answer reaches the API, once, in the member's name", async ({ page }) => {
  const { path } = await talk(page, "Arne Answer", "Where is my parcel?");
  await reply(page).fill("It left us this morning.");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await bubble(page, "It left us this morning.").waitFor();
  const messages = await until("the answer", async () => {
    const { data } = (await api.get(path)).messages;
    return data.length === 2 && data;
  });
  const answer = messages.find(({ messageType }) => messageType === "outgoing");
  assert.equal(answer.content, "It left us this morning.");
  assert.equal(answer.senderType, "agent");
  assert.equal(answer.isPrivate, false);
  assert.equal(await bubble(page, "It left us this morning.").count(), 1);
  assert.equal(await reply(page).inputValue(), "");
});

scene("a private note is private for the API too", async ({ page }) => {
  const { path } = await talk(page, "Nora Note", "I want my money back");
  await page.getByRole("radio", { name: "Private note" }).click();
  await page.getByRole("textbox", { name: "Private note" }).fill("Third time this month.");
  await page.getByRole("button", { name: "Add note" }).click();
  await page
    .getByRole("article", { name: /^Private note by/ })
    .getByText("Third time this month.")
    .waitFor();
  const note = await until("the note", async () => (await api.get(path)).messages.data.find(({ content }) => content === "Third time this month."));
  assert.equal(note.isPrivate, true);
});

scene("status, assignee, priority, label and product change in place", async ({ page }) => {
  const { path } = await talk(page, "Petra Place", "The app crashes");
  const now = () => api.get(path);
  const choose = async (button, option) => {
    await page
      .getByRole("button", { name: new RegExp(`^${button}: `) })
      .or(page.getByRole("combobox", { name: new RegExp(`^${button}: `) }))
      .click();
    await page.getByRole("option", { name: option }).first().click();
  };
  await choose("Priority", "Urgent");
  await until("the priority", async () => (await now()).priority === "urgent");
  await choose("Assignee", /\(me\)/);
  await until("the assignee", async () => (await now()).assignee?.name);
  const product = (await api.get("/v1/public/products")).data.find(({ archived }) => !archived);
  await choose("Product", product.name);
  await until("the product", async () => (await now()).product?.id === product.id);
  await page
    .getByRole("button", { name: /^Labels: / })
    .or(page.getByRole("combobox", { name: /^Labels: / }))
    .click();
  await page.getByPlaceholder("Find or add a label").fill("very new label");
  await page.getByRole("option", { name: "Add “very new label”" }).click();
  await until("the label", async () => (await now()).labels.includes("very new label"));
  await page.keyboard.press("Escape");
  await choose("Status", "Pending");
  await until("the status", async () => (await now()).status === "pending");
  await page.getByRole("button", { name: "Resolve", exact: true }).click();
  await until("the end", async () => (await now()).status === "resolved");
  // The page opens the next one, and the list drops it when nobody is working there.
  await page.getByRole("region", { name: "Conversation with Petra Place" }).waitFor({ state: "detached" });
  const left = page.getByRole("list", { name: "All open" }).getByRole("link", { name: /Petra Place/ });
  await left.waitFor({ state: "detached" });
});

scene("a conversation that is marked as spam leaves its list, and comes back", async ({ page }) => {
  const { path } = await talk(page, "Sven Spam", "Buy my watches");
  const spam = async () => (await api.get(path)).spam;
  await page.keyboard.press("!");
  await until("the mark", spam);
  await page.getByRole("region", { name: "Conversation with Sven Spam" }).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Undo" }).click();
  await until("no mark", async () => !(await spam()));
  await page
    .getByRole("list", { name: "All open" })
    .getByRole("link", { name: /Sven Spam/ })
    .click();
  await page.getByRole("region", { name: "Conversation with Sven Spam" }).waitFor();
  await page.mouse.move(900, 400); // no row leaves under the pointer
  await page.keyboard.press("!");
  await until("the mark", spam);
  await page
    .getByRole("list", { name: "All open" })
    .getByRole("link", { name: /Sven Spam/ })
    .waitFor({ state: "detached" });
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Spam" }).click();
  await page
    .getByRole("list", { name: "Spam" })
    .getByRole("link", { name: /Sven Spam/ })
    .click();
  await bubble(page, "Buy my watches").waitFor();
  await page.getByRole("button", { name: "More about this conversation" }).click();
  await page.getByRole("menuitem", { name: "Not spam" }).click();
  await until("no mark", async () => !(await spam()));
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "All open" }).click();
  await page
    .getByRole("list", { name: "All open" })
    .getByRole("link", { name: /Sven Spam/ })
    .waitFor();
});

scene("an admin deletes a conversation, and another tab that shows it says so", { allow: [/Failed to load resource.*404/] }, async ({ page, context }) => {
  const { conversation, contact, path } = await talk(page, "Dora Deleted", "Please delete this");
  const beside = await context.newPage();
  await beside.goto(`/inbox/${conversation.id}?status=open`);
  await bubble(beside, "Please delete this").waitFor();
  await page.getByRole("button", { name: "More about this conversation" }).click();
  await page.getByRole("menuitem", { name: "Delete the conversation …" }).click();
  await page.getByRole("dialog", { name: "Delete the conversation with Dora Deleted" }).getByRole("button", { name: "Delete for good" }).click();
  await page.getByRole("region", { name: "Conversation with Dora Deleted" }).waitFor({ state: "detached" });
  await beside.getByText("Conversation not found").waitFor();
  await until("the end", () =>
    api.get(path).then(
      () => false,
      () => true,
    ),
  );
  assert.equal((await api.get(`/v1/public/contacts/${contact.id}`)).name, "Dora Deleted");
});

scene("a change through the API shows in the open conversation", async ({ page }) => {
  const { path } = await talk(page, "Carl Change", "Hello?");
  const members = (await api.get("/v1/public/members")).data;
  await api.patch(path, { priority: "high", labels: ["from outside"], status: "pending", assigneeId: members[1].id });
  const pane = page.getByRole("region", { name: "Conversation with Carl Change" });
  await pane.getByLabel("Priority: High").waitFor();
  await pane.getByLabel("Status: Pending").waitFor();
  await pane.getByLabel(`Assignee: ${members[1].name}`).waitFor();
  await pane.getByText("from outside", { exact: true }).waitFor();
});

scene("a canned answer is inserted by its shortcut, with the contact's name", async ({ page, desk }) => {
  await desk.post("/v1/dashboard/canned-answers", { shortcut: "thanks-a-lot", content: "Thank you, {{first_name}}!" });
  await talk(page, "Clara Canned", "All good now");
  await reply(page).pressSequentially("/thanks-a");
  await page.getByRole("option", { name: /thanks-a-lot/ }).waitFor();
  await page.keyboard.press("Enter");
  await until("the words", async () => (await reply(page).inputValue()) === "Thank you, Clara!");
});

scene("a draft stays with its conversation", async ({ page }) => {
  const first = await talk(null, "Dora Draft", "One question");
  const other = await talk(page, "Otto Other", "Another one");
  await page.goto(`/inbox/${first.conversation.id}?status=open`);
  await reply(page).fill("half a sent");
  await page.getByRole("link", { name: /Otto Other/ }).click();
  await bubble(page, "Another one").waitFor();
  assert.equal(await reply(page).inputValue(), "");
  await page.goto(`/inbox/${first.conversation.id}?status=open`);
  await bubble(page, "One question").waitFor();
  assert.equal(await reply(page).inputValue(), "half a sent");
  assert.equal((await api.get(other.path)).messages.data.length, 1);
});

scene("an answer that the server refuses stays, and is sent with the second attempt", { allow: [/Failed to load resource.*503/, /^answer: 503 .*messages$/] }, async ({ page, context }) => {
  const { path } = await talk(page, "Rita Retry", "Are you there?");
  const keys = [];
  await context.route("**/messages", async (route) => {
    keys.push(route.request().headers()["idempotency-key"]);
    if (keys.length === 1) await route.fulfill({ status: 503, headers: { "Retry-After": "600" }, json: { error: "the server is busy" } });
    else await route.continue();
  });
  await reply(page).fill("Yes, we are.");
  await reply(page).press("Control+Enter");
  const failed = page.getByRole("article", { name: "Message that was not sent" });
  await failed.getByText("Yes, we are.").waitFor();
  assert.equal((await api.get(path)).messages.data.length, 1);
  await failed.getByRole("button", { name: "Try now" }).click();
  await page
    .getByRole("article", { name: /^Message from/ })
    .getByText("Yes, we are.")
    .waitFor();
  assert.equal((await api.get(path)).messages.data.length, 2);
  assert.equal(keys.length, 2);
  assert.ok(keys[0] && keys[0] === keys[1], "both tries carry one Idempotency-Key");
});

scene("a pending conversation with a new message of the customer is open again, in list and count", async ({ page, desk }) => {
  const { path } = await talk(null, "Penny Pending", "It is broken");
  await api.patch(path, { status: "pending" });
  await page.goto("/inbox?status=open");
  const list = page.getByRole("list", { name: "All open" });
  await list.getByRole("listitem").first().waitFor();
  const count = page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: /^Pending/ });
  const pending = async () => Number((await count.innerText()).match(/\d+/)?.[0] ?? 0);
  await until("the count", async () => (await pending()) === (await desk.get("/v1/dashboard/counts")).pending);
  const before = await pending();
  assert.equal(await list.getByRole("link", { name: /Penny Pending/ }).count(), 0);
  await api.post(`${path}/messages`, { content: "Any news?", role: "incoming" });
  await list
    .getByRole("link", { name: /Penny Pending/ })
    .getByText("Any news?")
    .waitFor();
  await until("one pending less", async () => (await pending()) === before - 1);
  assert.equal((await api.get(path)).status, "open");
});

scene("the search finds a message, a contact and a company", async ({ page }) => {
  const { conversation } = await talk(null, "Sven Sörensen", "My zeppelin arrived with a dent");
  await api.post("/v1/public/companies", { name: "Zirkel & Söhne", website: "https://zirkel.example" });
  const find = async (text, kind, name) => {
    await page.getByRole("searchbox", { name: "Search messages, contacts and companies" }).fill(text);
    await page.getByRole("tab", { name: kind }).click();
    const hit = page.getByRole("list", { name: "Found" }).getByRole("link", { name });
    // New texts are indexed a moment later, so the search is repeated until then.
    await until(`${text} among the ${kind}`, async () => {
      if (await hit.count()) return true;
      await page.getByRole("tab", { name: "Everything" }).click();
      await page.getByRole("tab", { name: kind }).click();
      return false;
    });
    return hit.first();
  };
  await page.goto("/search");
  await (await find("zirk", "Companies", /Zirkel & Söhne/)).click();
  await page.getByRole("heading", { level: 1, name: "Zirkel & Söhne" }).waitFor();
  await page.goto("/search");
  await (await find("sven sorensen", "Contacts", /Sven Sörensen/)).click();
  await page.getByRole("heading", { level: 1, name: "Sven Sörensen" }).waitFor();
  await page.goto("/search");
  await (await find("zeppelin dent", "Messages", /zeppelin/)).click();
  await bubble(page, "My zeppelin arrived with a dent").waitFor();
  assert.ok(page.url().includes(conversation.id));
});

scene("the search does not overwrite what the user is typing", async ({ page }) => {
  await page.goto("/search");
  const field = page.getByRole("searchbox", { name: "Search messages, contacts and companies" });
  await field.fill("zeppelin ");
  await page.waitForURL((url) => url.searchParams.get("q") === "zeppelin");
  await page
    .getByText(/Nothing found|zeppelin/)
    .first()
    .waitFor();
  assert.equal(await field.inputValue(), "zeppelin ", "the space before the next word is gone");
});
