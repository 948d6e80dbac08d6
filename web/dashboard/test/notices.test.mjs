// The day of two members: one names the other in a note, who is told, answers, and is answered.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { as, client, openSuite, until } from "./start.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const { scene, api, desk, join, server } = await openSuite();
const bo = await join({ email: "bo@notices.example", name: "Bo Öztürk" });
const bos = client(server.origin, as(bo));
const { members } = await desk.get("/v1/dashboard/state");
const idOf = (name) => members.find((member) => member.name === name).id;
const me = members.find(({ role }) => role === "owner");

async function talk(name, content = "Where is my parcel?") {
  const contact = await api.post("/v1/public/contacts", { name });
  const { id } = await api.post("/v1/public/conversations", { contactId: contact.id });
  await api.post(`/v1/public/conversations/${id}/messages`, { content, role: "incoming" });
  return id;
}
const note = (id, content, mentions, by = me.id) => (by === me.id ? desk : bos).post(`/v1/public/conversations/${id}/messages`, { content, isPrivate: true, agentUserId: by, mentions });
const bell = (page, name = /^Notices/) => page.getByRole("complementary", { name: "Navigation" }).getByRole("button", { name });
const panel = (page) => page.getByRole("dialog", { name: "Notices" });
const rows = (page) => panel(page).getByRole("listitem");
const told = async (of, conversationId) => (await of.get("/v1/dashboard/notices")).data.filter((notice) => notice.conversationId === conversationId);

/** Types into the palette and runs the first command, which has the name. */
async function tell(page, text, name) {
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Search, or type a command" }).fill(text);
  const first = page.getByRole("dialog", { name: "Search and commands" }).getByRole("option").first();
  await until(`${text} is ${name}`, async () => name.test(await first.innerText()));
  await page.keyboard.press("Enter");
}

async function clean(page) {
  await page.evaluate(axe);
  const found = await page.evaluate(async () => (await globalThis.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] })).violations);
  assert.deepEqual(
    found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`),
    [],
  );
}

scene("the bell counts in every tab, its list opens by key, and reading empties it", { token: bo }, async ({ page, context }) => {
  const id = await talk("Nora Notice");
  const other = await context.newPage();
  await Promise.all([page.goto("/settings/profile"), other.goto("/reports")]);
  await Promise.all([bell(page, "Notices").waitFor(), bell(other, "Notices").waitFor()]);
  await page.keyboard.press("g");
  await page.keyboard.press("n");
  await panel(page).getByText("Nothing yet").waitFor();
  await page.keyboard.press("Escape");
  await note(id, "@Bo Öztürk can you look?", [idOf("Bo Öztürk")]);
  await bell(page, "Notices: 1 unread").waitFor();
  await bell(other, "Notices: 1 unread").waitFor();
  await page.getByRole("status").getByText(`${me.name} mentioned you`).waitFor({ state: "attached" });

  await page.keyboard.press("g");
  await page.keyboard.press("n");
  const link = rows(page).getByRole("link", { name: `Unread: ${me.name} mentioned you` });
  await link.waitFor();
  assert.match(await link.textContent(), /with Nora Notice.*@Bo Öztürk can you look\?/);
  await until("it has the focus", () => link.evaluate((element) => element === document.activeElement));
  await clean(page);
  await page.setViewportSize({ width: 320, height: 640 });
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
  await clean(page);
  await page.setViewportSize({ width: 1280, height: 800 });

  // e reads it and leaves it in the list; the other tab hears of it.
  await page.keyboard.press("e");
  await rows(page)
    .getByRole("link", { name: new RegExp(`^${me.name} mentioned you`) })
    .waitFor();
  await bell(other, "Notices").waitFor();

  // It happens again: the conversation opens at the message by Enter.
  await note(id, "@Bo Öztürk, please", [idOf("Bo Öztürk")]);
  await rows(page)
    .getByRole("link", { name: /^Unread/ })
    .waitFor();
  await page.keyboard.press("Home");
  await page.keyboard.press("Enter");
  await panel(page).waitFor({ state: "detached" });
  await page.locator('article[aria-current="true"]').getByText("@Bo Öztürk, please").waitFor();
  await bell(other, "Notices").waitFor();

  // Two conversations, all read at once from the palette's list.
  for (const name of ["Olga One", "Tom Two"]) await note(await talk(name), "@Bo Öztürk?", [idOf("Bo Öztürk")]);
  await bell(page, "Notices: 2 unread").waitFor();
  await tell(page, "show noti", /^Show notices/);
  await panel(page).getByRole("radio", { name: "Unread" }).focus();
  await page.keyboard.press("Space");
  await until("two are unread", async () => (await rows(page).count()) === 2);
  await panel(page).getByRole("radio", { name: "Unread" }).focus();
  await page.keyboard.press("Shift+E");
  await panel(page).getByText("You have read everything").waitFor();
  await Promise.all([bell(page, "Notices").waitFor({ state: "attached" }), bell(other, "Notices").waitFor()]);
});

scene("a page that missed the signal asks again when it is back", { token: bo, allow: [/ERR_INTERNET_DISCONNECTED/, /dynamically imported/] }, async ({ page, context }) => {
  const id = await talk("Mia Missed");
  await bos.post("/v1/dashboard/notices/read", { all: true });
  await page.goto("/settings/profile");
  await bell(page, "Notices").waitFor();
  await context.setOffline(true);
  await page.getByText("Offline. What you see may be old.").waitFor();
  await note(id, "@Bo Öztürk?", [idOf("Bo Öztürk")]);
  await until("the server has told", async () => (await told(bos, id)).length === 1);
  await context.setOffline(false);
  await bell(page, "Notices: 1 unread").waitFor();
  // Looking at the conversation reads its notice, though nothing else is unread.
  await bos.post("/v1/dashboard/conversations/" + id + "/read");
  await note(id, "@Bo Öztürk!", [idOf("Bo Öztürk")]);
  await bell(page, "Notices: 1 unread").waitFor();
  await page.goto(`/inbox/${id}`);
  await page.getByText("@Bo Öztürk!").first().waitFor();
  await bell(page, "Notices").waitFor();
});

scene("following is a key, shows in both tabs and beside the contact, and tells what is written", async ({ page, context, visit }) => {
  const id = await talk("Fay Followed");
  const [other, his] = [await context.newPage(), await (await visit({ token: bo })).newPage()];
  await Promise.all([page.goto(`/inbox/${id}`), other.goto(`/inbox/${id}`), his.goto(`/inbox/${id}`)]);
  const followers = (of) => of.getByRole("region", { name: "Followers" });
  await Promise.all([followers(page).getByText("Nobody follows").waitFor(), followers(other).getByText("Nobody follows").waitFor(), followers(his).waitFor()]);
  await page.keyboard.press("Shift+F");
  await page.getByText("You follow this conversation: its messages").waitFor();
  await followers(page).getByText(`${me.name} (you)`).waitFor();
  await followers(other).getByRole("button", { name: "Do not follow" }).waitFor();

  // Who answers follows by that, and the others see it.
  await his.keyboard.press("r");
  await his.keyboard.type("It is on its way.");
  await his.keyboard.press("Control+Enter");
  await followers(page).getByText("Bo Öztürk").waitFor();
  await followers(his).getByText("Bo Öztürk (you)").waitFor();
  await Promise.all([page.goto("/settings/profile"), other.goto("/settings/profile")]);
  await note(id, "Nobody in particular", [], idOf("Bo Öztürk"));
  await until("the follower is told", async () => (await told(desk, id)).some(({ kind }) => kind === "note"));

  await other.goto(`/inbox/${id}`);
  await followers(other).getByRole("button", { name: "Do not follow" }).waitFor();
  await tell(other, "do not fol", /^Do not follow/);
  await followers(other).getByRole("button", { name: "Follow", exact: true }).waitFor();
  await until("the server knows", async () => !(await desk.get(`/v1/dashboard/conversations/${id}/followers`)).memberIds.includes(me.id));
});

scene("the day: Ann names Bo, who sits in the settings, is told, answers, and Ann is told", async ({ page, visit, context }) => {
  const id = await talk("Dana Day");
  await Promise.all([bos.post("/v1/dashboard/notices/read", { all: true }), desk.post("/v1/dashboard/notices/read", { all: true })]);
  const [his, second] = [await (await visit({ token: bo })).newPage(), await context.newPage()];
  await Promise.all([page.goto(`/inbox/${id}`), his.goto("/settings/profile"), second.goto("/reports")]);
  await Promise.all([page.getByRole("article").first().waitFor(), bell(his, "Notices").waitFor(), bell(second, "Notices").waitFor()]);

  // A reply offers nobody, and says that a note does.
  await page.keyboard.press("r");
  const reply = page.getByRole("textbox", { name: "Reply" });
  await reply.pressSequentially("@Bo Ö");
  assert.equal(await page.getByRole("listbox").count(), 0);
  await reply.fill("@Bo Öztürk");
  await page.getByText("names in it tell nobody").waitFor();
  await reply.fill("");
  await page.keyboard.press("Escape");

  await page.keyboard.press("n");
  const box = page.getByRole("textbox", { name: "Private note" });
  await box.pressSequentially("@ozturk");
  const offered = page.getByRole("listbox", { name: "Members and teams" });
  await offered.getByRole("option", { name: /Bo Öztürk.*bo@notices\.example/, selected: true }).waitFor();
  await clean(page);
  await page.keyboard.press("Escape");
  await offered.waitFor({ state: "detached" });
  await page.keyboard.press("Backspace");
  await page.keyboard.press("Tab");
  await until("it is written whole", async () => (await box.inputValue()) === "@Bo Öztürk ");
  await page.getByText("Tells Bo Öztürk.").waitFor();
  await box.pressSequentially("can you look, or @carla");
  await offered.getByRole("option", { name: /Carla Mendes/, selected: true }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByText("Tells Bo Öztürk, Carla Mendes.").waitFor();
  // What is deleted is not told; a reload keeps the rest.
  for (let left = "or @Carla Mendes ".length; left > 0; left--) await page.keyboard.press("Backspace");
  await page.getByText("Tells Bo Öztürk.").waitFor();
  // A page that is left while it stores a draft learns of its version by a 409.
  await until("the draft is stored", async () => (await desk.get(`/v1/dashboard/conversations/${id}/draft`)).content.trim() === "@Bo Öztürk can you look,");
  await page.reload();
  await page.getByText("Tells Bo Öztürk.").waitFor();
  await box.focus();
  await page.keyboard.press("Control+Enter");
  await until("the note is stored", async () => (await api.get(`/v1/public/conversations/${id}`)).messages.data.some(({ mentions }) => mentions.length > 0));
  const [sent] = (await api.get(`/v1/public/conversations/${id}`)).messages.data.filter(({ isPrivate }) => isPrivate);
  assert.deepEqual([sent.content, sent.mentions], ["@Bo Öztürk can you look,", [idOf("Bo Öztürk")]]);
  await page.locator("mark").getByText("@Bo Öztürk").waitFor();

  await bell(his, "Notices: 1 unread").waitFor();
  await his.keyboard.press("g");
  await his.keyboard.press("n");
  await rows(his)
    .getByRole("link", { name: /^Unread/ })
    .waitFor();
  await his.keyboard.press("Enter");
  await his.locator("mark").getByText("@Bo Öztürk").waitFor();
  await clean(his);
  await bell(his, "Notices").waitFor();
  await his.keyboard.press("n");
  await his.getByRole("textbox", { name: "Private note" }).pressSequentially("@ann li");
  await his.getByRole("option", { name: /Ann Lindqvist/, selected: true }).waitFor();
  await his.keyboard.press("Enter");
  await his.keyboard.type("I have it.");
  await his.keyboard.press("Control+Enter");
  await until("Ann is told once", async () => (await told(desk, id)).map(({ kind, count }) => `${kind} ${count}`).join() === "mentioned 1");
  // She looks at the conversation, so it is read by that, in the other tab too.
  await page.locator("mark").getByText(`@${me.name}`).waitFor();
  await page.bringToFront();
  await until("Ann has read it", async () => (await told(desk, id)).every(({ readAt }) => readAt !== null));
  await bell(second, "Notices").waitFor();

  await his.keyboard.press("Escape");
  await his.keyboard.press("e");
  await until("it is resolved", async () => (await api.get(`/v1/public/conversations/${id}`)).status === "resolved");
  assert.deepEqual([(await told(desk, id)).length, (await told(bos, id)).length], [1, 1]);
});

scene("a note that was written offline names its members when it is sent", { token: bo, allow: [/ERR_INTERNET_DISCONNECTED/, /dynamically imported/] }, async ({ page, context }) => {
  const id = await talk("Otto Offline");
  await page.goto(`/inbox/${id}`);
  await page.getByRole("article").first().waitFor();
  await page.keyboard.press("n");
  const box = page.getByRole("textbox", { name: "Private note" });
  await box.pressSequentially("@dev");
  await page.getByRole("option", { name: /Dev Patel/ }).waitFor();
  await context.setOffline(true);
  await page.keyboard.press("Enter");
  await page.keyboard.type("see <b>this</b>");
  await page.keyboard.press("Control+Enter");
  await page.locator("mark").getByText("@Dev Patel").waitFor();
  await context.setOffline(false);
  await until("it is stored", async () => {
    const notes = (await api.get(`/v1/public/conversations/${id}`)).messages.data.filter(({ isPrivate }) => isPrivate);
    return notes.length === 1 && notes[0].mentions.join() === idOf("Dev Patel");
  });
});

scene("on a phone an open conversation has the bell, and its contact's name beside it", { viewport: { width: 375, height: 812 }, hasTouch: true, isMobile: true }, async ({ page }) => {
  const id = await talk("Marie-Louise Telefon");
  await page.goto(`/inbox/${id}`);
  const name = page.getByRole("heading", { level: 1, name: "Marie-Louise Telefon" });
  await name.waitFor();
  const { width } = await name.boundingBox();
  assert.ok(width >= 100, `the name has ${width} pixels`);
  await page.getByRole("button", { name: /^Notices/ }).tap();
  await panel(page).waitFor();
  await clean(page);
});
