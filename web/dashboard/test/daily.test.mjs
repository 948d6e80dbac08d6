// Small things that happen every day.
import assert from "node:assert/strict";
import { mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSuite, until } from "./start.mjs";

const { scene, api, desk } = await openSuite();

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };

async function talk(name, content, more = {}) {
  const contact = await api.post("/v1/public/contacts", { name, ...more });
  const conversation = await api.post("/v1/public/conversations", { contactId: contact.id });
  await api.post(`/v1/public/conversations/${conversation.id}/messages`, { content, role: "incoming" });
  return { contact, conversation };
}

const focused = (page) => page.evaluate(() => document.activeElement?.getAttribute("aria-label") || document.activeElement?.textContent?.trim() || "");

scene("on a phone the search has the bar that leads back", phone, async ({ page }) => {
  await page.goto("/search");
  await page.getByRole("button", { name: "Navigation" }).waitFor();
  await page.getByRole("searchbox").fill("zeppelin");
  await page.getByRole("tab", { name: "Messages" }).waitFor();
  await page.getByRole("button", { name: "Navigation" }).click();
  await page.getByRole("dialog", { name: "Navigation" }).getByRole("link", { name: "All open" }).click();
  await page.getByRole("list", { name: "All open" }).waitFor();
});

scene("an invitation survives a reload", { token: null, allow: [/Failed to load resource/] }, async ({ page }) => {
  const made = await desk.post("/v1/dashboard/invitations", { email: "nia.newcomer@example.org", role: "agent" });
  await page.goto(made.link);
  await page.getByRole("heading", { name: /^Join / }).waitFor();
  assert.equal(new URL(page.url()).hash, "", "the token stays in the address");
  await page.reload();
  await page.getByRole("heading", { name: /^Join / }).waitFor();
  await page.getByLabel("Your name").fill("Nia Newcomer");
  await page.getByLabel("Password", { exact: true }).fill("a long enough password");
  await page.getByLabel("Repeat password").fill("a long enough password");
  await page.getByRole("button", { name: "Join" }).click();
  await page.waitForURL(/\/inbox/);
  assert.equal(await page.evaluate(() => sessionStorage.getItem("parley.invitation")), null, "the used token was kept");
});

scene("shortcuts work after a choice in a segmented control", async ({ page }) => {
  await page.goto("/reports");
  await page.getByRole("radio", { name: "7 days" }).check({ force: true });
  await page.keyboard.press("g");
  await page.keyboard.press("i");
  await page.waitForURL(/\/inbox\?status=open/);
});

scene("a file that is too large is refused before any of it is sent, with a readable reason", async ({ page }) => {
  const { conversation } = await talk("Lara Large", "Send me the film");
  await page.goto(`/inbox/${conversation.id}?status=open`);
  await page.getByRole("article").getByText("Send me the film").waitFor();
  const sent = [];
  page.on("request", (request) => request.url().includes("/attachments") && sent.push(request.url()));
  const folder = await mkdtemp(join(tmpdir(), "parley-film-"));
  const film = join(folder, "film.mp4");
  await writeFile(film, "");
  await truncate(film, 26 * (1 << 20));
  await page.locator("input[type=file]").setInputFiles(film);
  await page.getByText(/Too large: .* Files may have up to 25 MB\./).waitFor();
  assert.deepEqual(sent, []);
  await rm(folder, { recursive: true });
});

scene("refusals are sentences, without field names", { allow: [/Failed to load resource/, /^answer: 500/] }, async ({ page, context }) => {
  const { conversation } = await talk("Sera Sentence", "Hello");
  for (const [status, error, header, said] of [
    [400, "assigneeId: must be a UUID", "invalid; field=assigneeId", "The assignee cannot be used."],
    [500, "pq: relation is missing", "internal", "The server has a problem. Try again in a moment."],
  ]) {
    await page.goto(`/inbox/${conversation.id}?status=open`); // resolving opens another one
    await context.route(`**/conversations/${conversation.id}`, (route) =>
      route.request().method() === "PATCH" ? route.fulfill({ status, headers: { "Parley-Error": header }, json: { error } }) : route.continue(),
    );
    await page.getByRole("button", { name: "Resolve", exact: true }).click();
    await page.getByText(said).waitFor();
    await context.unroute(`**/conversations/${conversation.id}`);
  }
});

scene("an unknown address says so, outside and inside the settings", { allow: [/404/] }, async ({ page }) => {
  const answer = await page.goto("/nope");
  assert.equal(answer.status(), 404);
  await page.getByRole("heading", { name: "Page not found" }).waitFor();
  await page.goto("/settings/nope");
  await page.getByRole("heading", { name: "Page not found" }).waitFor();
});

scene("other conversations show their text", async ({ page }) => {
  const { contact, conversation } = await talk("Odo Other", "The first question", { email: "odo.other.with.a.long.name@iron-bridge-outdoor-school.example" });
  const second = await api.post("/v1/public/conversations", { contactId: contact.id });
  await api.post(`/v1/public/conversations/${second.id}/messages`, { content: "The other question", role: "incoming" });
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`/inbox/${conversation.id}?status=open`);
  const pane = page.getByRole("complementary", { name: "Contact" });
  await pane.getByText("The other question").waitFor();
  const lines = await pane.getByRole("link", { name: /iron-bridge/ }).evaluate((link) => link.getClientRects().length);
  assert.ok(lines <= 2, `the address is broken into ${lines} lines`);
});

scene("the picker of a merge distinguishes two contacts of the same name, and offers them first", async ({ page }) => {
  const { contact } = await talk("Dupe Person", "Hi", { email: "dupe.one@example.org" });
  await talk("Dupe Person", "Hi", { phoneNumber: "+49 151 7001002" });
  await page.goto(`/contacts/${contact.id}`);
  await page.getByRole("button", { name: "More about this contact" }).click();
  await page.getByRole("menuitem", { name: /Merge/ }).click();
  await page.getByRole("combobox", { name: "Merge into" }).click();
  const first = page.getByRole("option").first();
  await first.getByText(/1517001002.*active/).waitFor();
  assert.match(await first.innerText(), /Dupe Person/);
});

scene("unsaved settings ask before they are lost: by mouse, by key, and back", async ({ page }) => {
  const question = page.getByRole("dialog", { name: "Discard unsaved changes?" });
  const field = page.getByRole("textbox", { name: "Workspace name" });
  await page.goto("/settings/profile");
  await page.getByRole("link", { name: "General" }).click();
  const before = await field.inputValue();
  await field.fill("Half a name");
  const ways = [
    () => page.getByRole("link", { name: "Contacts" }).click(),
    async () => {
      await page.getByRole("heading", { name: "Workspace", exact: true }).first().click();
      await page.evaluate(() => document.activeElement?.blur());
      await page.keyboard.press("g");
      await page.keyboard.press("c");
    },
    () => page.evaluate(() => history.back()),
  ];
  for (const leave of ways) {
    await leave();
    await question.waitFor();
    await question.getByRole("button", { name: "Cancel" }).click();
    await question.waitFor({ state: "hidden" });
    assert.equal(await field.inputValue(), "Half a name");
    assert.match(page.url(), /settings\/workspace$/);
  }
  await page.getByRole("link", { name: "Contacts" }).click();
  await question.getByRole("button", { name: "Discard" }).click();
  await page.getByRole("heading", { level: 1, name: "Contacts" }).waitFor();
  await page.goto("/settings/workspace");
  assert.equal(await field.inputValue(), before);
  await page.getByRole("link", { name: "Contacts" }).click();
  await page.getByRole("heading", { level: 1, name: "Contacts" }).waitFor();
  await page.goto("/settings/profile");
  await page.getByLabel("New password", { exact: true }).fill("half of a new password");
  await page.getByRole("link", { name: "Contacts" }).click();
  await question.getByRole("button", { name: "Discard" }).click();
  await page.getByRole("heading", { level: 1, name: "Contacts" }).waitFor();
});

scene("a list is one tab stop, and the arrow keys move through it", async ({ page }) => {
  await page.goto("/contacts");
  const list = page.getByRole("list", { name: "Contacts" });
  await list.getByRole("listitem").first().waitFor();
  await page.getByRole("searchbox").focus();
  const seen = [];
  for (let n = 0; n < 6; n++) {
    await page.keyboard.press("Tab");
    seen.push(await page.evaluate(() => document.activeElement?.closest("[data-index]")?.getAttribute("data-index") ?? "out"));
  }
  assert.deepEqual([...new Set(seen.filter((index) => index !== "out"))], ["0"], `Tab stopped at ${seen}`);
  await list.getByRole("link").first().focus();
  for (const [key, index] of [
    ["ArrowDown", "1"],
    ["ArrowDown", "2"],
    ["ArrowUp", "1"],
    ["End", null],
    ["Home", "0"],
  ]) {
    await page.keyboard.press(key);
    if (index === null) await until("the last row", () => page.evaluate(() => Number(document.activeElement?.closest("[data-index]")?.getAttribute("data-index")) > 2));
    else await until(`row ${index}`, () => page.evaluate((at) => document.activeElement?.closest("[data-index]")?.getAttribute("data-index") === at, index));
  }
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/contacts\/.+/);
});

scene("a second skip link leads to the conversation, and Escape back to the list", async ({ page }) => {
  const { conversation } = await talk("Skip Link", "Jump");
  await page.goto(`/inbox/${conversation.id}?status=open`);
  await page.getByRole("article").getByText("Jump").waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  assert.equal(await focused(page), "Skip to the conversation");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  assert.ok(await page.evaluate(() => document.activeElement?.closest("#conversation") !== null), "the focus is elsewhere");
  await page.getByRole("button", { name: "Assignee: nobody" }).waitFor();
  await page.getByRole("button", { name: "Priority: none" }).waitFor();
  await page.getByRole("textbox", { name: "Reply" }).focus();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await page.waitForURL(/\/inbox\?status=open$/);
});

scene("the whole thread is printed, without the rest of the page", async ({ page }) => {
  const { conversation } = await talk("Pia Paper", "Line 0");
  for (let n = 1; n < 40; n++) await api.post(`/v1/public/conversations/${conversation.id}/messages`, { content: `Line ${n} ${"words ".repeat(30)}`, role: "incoming" });
  await page.goto(`/inbox/${conversation.id}?status=open`);
  await page
    .getByRole("article")
    .getByText(/^Line 39/)
    .waitFor();
  await page.emulateMedia({ media: "print" });
  const shown = await page.evaluate(() => ({
    tall: document.documentElement.scrollHeight > 2 * innerHeight,
    side: getComputedStyle(document.querySelector("aside")).display,
    field: document.querySelector("textarea").offsetParent === null,
    cut: document.querySelector("[role=log]").scrollHeight - document.querySelector("[role=log]").clientHeight,
  }));
  assert.deepEqual(shown, { tall: true, side: "none", field: true, cut: 0 });
});

scene("at 400 % zoom the thread has enough space", { viewport: { width: 320, height: 256 } }, async ({ page }) => {
  const { conversation } = await talk("Zoe Zoom", "Can you read this?");
  await page.goto(`/inbox/${conversation.id}?status=open`);
  await page.getByRole("article").getByText("Can you read this?").waitFor();
  const height = await page.getByRole("log").evaluate((log) => log.clientHeight);
  assert.ok(height >= 180, `the thread is ${height} px high`);
});

scene("an owner is told that the server's backups are late", async ({ page, context }) => {
  let late = false;
  await context.route("**/v1/dashboard/backups", (route) => route.fulfill({ json: { everySeconds: 86400, lastAt: "2026-11-20T08:15:30.123Z", late } }));
  const notice = page.getByRole("status").filter({ hasText: /The last backup of the server was on/ });
  await Promise.all([page.waitForResponse("**/v1/dashboard/backups"), page.goto("/inbox?status=open")]);
  await page.getByRole("link", { name: "Contacts" }).waitFor();
  assert.equal(await notice.count(), 0);
  late = true;
  await page.reload();
  await notice.waitFor();
});

scene("lines stay readable on a very wide screen", { viewport: { width: 2560, height: 1200 } }, async ({ page }) => {
  const { conversation } = await talk("Wim Wide", "A wide question");
  await api.post(`/v1/public/conversations/${conversation.id}/messages`, { content: "A wide answer" });
  await page.goto(`/inbox/${conversation.id}?status=open`);
  const box = async (text) => page.getByRole("article").filter({ hasText: text }).boundingBox();
  await page.getByRole("article").getByText("A wide answer").waitFor();
  const [question, answer] = [await box("A wide question"), await box("A wide answer")];
  assert.ok(answer.x + answer.width - question.x < 920, `question and answer are ${answer.x + answer.width - question.x} px apart`);
});
