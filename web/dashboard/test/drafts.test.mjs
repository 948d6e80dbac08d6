// Drafts on the server: what a member wrote on one device is on the other, and the others see that there is a draft,
// but not its text.
import assert from "node:assert/strict";
import { as, client, openSuite, until } from "./start.mjs";

const { scene, api, desk, join, server } = await openSuite();
const xenia = await join({ email: "xenia@example.org", name: "Xenia Colleague" });
const hers = client(server.origin, as(xenia));
const refused = [/Failed to load resource.*409/];

/** A conversation with a new contact. */
async function talk(name) {
  const contact = await api.post("/v1/public/contacts", { name, email: `${name.toLowerCase().replaceAll(" ", ".")}@example.org` });
  const { id } = await api.post("/v1/public/conversations", { contactId: contact.id });
  await api.post(`/v1/public/conversations/${id}/messages`, { content: `a question of ${name}`, role: "incoming" });
  return id;
}

const reply = (page) => page.getByRole("textbox", { name: "Reply" });
const row = (page, id) => page.locator(`[data-row="${id}"]`);
const stored = (id) => desk.get(`/v1/dashboard/conversations/${id}/draft`);

scene("a draft goes on to another browser, and leaves both when it is sent", { allow: refused }, async ({ page, visit, token }) => {
  const id = await talk("Dora Draft");
  await page.goto(`/inbox/${id}`);
  await reply(page).pressSequentially("It is on");
  await until("the server has it", async () => (await stored(id)).content === "It is on");

  const phone = await (await visit({ token, viewport: { width: 390, height: 844 } })).newPage();
  await phone.goto("/inbox");
  await row(phone, id).getByText("Draft: It is on").waitFor();
  await phone.goto(`/inbox/${id}`);
  await until("the text is there", async () => (await reply(phone).inputValue()) === "It is on");
  await reply(phone).press("End");
  await reply(phone).pressSequentially(" its way");
  await until("the first browser has it, too", async () => (await reply(page).inputValue()) === "It is on its way");

  await reply(page).press("Control+Enter");
  await page
    .getByRole("article", { name: /^Message from/ })
    .getByText("It is on its way")
    .waitFor();
  await until("the other browser is empty", async () => (await reply(phone).inputValue()) === "");
  await until("the server has none", async () => (await stored(id)).version === 0);
  const { messages } = await api.get(`/v1/public/conversations/${id}`);
  assert.equal(messages.data.filter(({ content }) => content === "It is on its way").length, 1);
});

scene("what both browsers write while one is offline is joined", { allow: [...refused, /ERR_INTERNET_DISCONNECTED/] }, async ({ page, context, visit, token }) => {
  const id = await talk("Olaf Offline");
  const other = await (await visit({ token })).newPage();
  await Promise.all([page.goto(`/inbox/${id}`), other.goto(`/inbox/${id}`)]);
  await reply(other).waitFor();
  await reply(page).waitFor();
  await context.setOffline(true);
  await reply(page).pressSequentially("written offline");
  await reply(other).pressSequentially("written online");
  await until("the server has the one", async () => (await stored(id)).content === "written online");
  await context.setOffline(false);
  const both = "written online\n\nwritten offline";
  await until("both are joined", async () => (await stored(id)).content === both);
  for (const one of [page, other]) await until("each browser has both", async () => (await reply(one).inputValue()) === both);
});

scene("others see that there is a draft, not what it says", async ({ page, visit }) => {
  const id = await talk("Petra Private");
  const theirs = await (await visit({ token: xenia })).newPage();
  await Promise.all([page.goto(`/inbox/${id}`), theirs.goto(`/inbox/${id}`)]);
  await Promise.all([reply(theirs).waitFor(), reply(page).waitFor()]);
  await page.keyboard.press("n");
  await page.getByRole("textbox", { name: "Private note" }).pressSequentially("SECRET");
  const me = (await desk.get("/v1/dashboard/session")).member.name;
  await theirs.getByText(`${me} has a draft`).waitFor();
  assert.equal((await hers.get(`/v1/dashboard/conversations/${id}/draft`)).version, 0);
  assert.doesNotMatch(JSON.stringify(await hers.get("/v1/dashboard/drafts")), /SECRET/);
  await page.getByRole("textbox", { name: "Private note" }).fill("");
  await theirs.getByText(`${me} has a draft`).waitFor({ state: "detached" });
  await until("the server has none", async () => (await stored(id)).version === 0);
});

scene("a draft waits for its author who signs out and in again", { token: xenia }, async ({ page, visit }) => {
  const id = await talk("Sina Sign-in");
  await page.goto(`/inbox/${id}`);
  await reply(page).fill("Until tomorrow");
  await until("the server has it", async () => (await hers.get(`/v1/dashboard/conversations/${id}/draft`)).content === "Until tomorrow");
  const next = await (await visit({ token: xenia })).newPage();
  await next.goto(`/inbox/${id}`);
  await until("it is there", async () => (await reply(next).inputValue()) === "Until tomorrow");
});
