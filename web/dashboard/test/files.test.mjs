// Files of messages: attached by button, paste and drop, displayed in place if
// that is safe, downloaded otherwise.
import assert from "node:assert/strict";
import { mkdtemp, open, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSuite, until } from "./start.mjs";

const { scene, api, server } = await openSuite([], { windows: true });

const png = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==", "base64");

/** Creates a conversation and opens it. */
async function talk(page, name) {
  const contact = await api.post("/v1/public/contacts", { name });
  const conversation = await api.post("/v1/public/conversations", { contactId: contact.id });
  await page.goto(`/inbox/${conversation.id}?status=open`);
  await page.getByRole("textbox", { name: "Reply" }).waitFor();
  return `/v1/public/conversations/${conversation.id}`;
}

const chips = (page) => page.getByRole("list", { name: "Attached files" }).getByRole("listitem");
const choose = (page, file) => page.locator("input[type=file]").setInputFiles(file);
const ready = (page, count) => until(`${count} files to be there`, async () => (await chips(page).count()) === count && (await page.getByRole("progressbar").count()) === 0);

/** Gives the page a file through an event, as a user would. */
async function give(page, target, type, name) {
  await target.evaluate(
    (element, [type, name]) => {
      const data = new DataTransfer();
      data.items.add(new File(["hello"], name, { type: "text/plain" }));
      const more = type === "paste" ? { clipboardData: data } : { dataTransfer: data };
      const Kind = type === "paste" ? ClipboardEvent : DragEvent;
      element.dispatchEvent(new Kind(type, { bubbles: true, cancelable: true, ...more }));
    },
    [type, name],
  );
}

scene("files are attached by button, paste and drop, and sent with their message", async ({ page }) => {
  const path = await talk(page, "Fia Files");
  const reply = page.getByRole("textbox", { name: "Reply" });
  await choose(page, { name: "tiny.png", mimeType: "image/png", buffer: png });
  await ready(page, 1);
  await give(page, reply, "paste", "pasted.txt");
  await ready(page, 2);
  const pane = page.getByRole("region", { name: /^Conversation with/ });
  await give(page, pane, "dragover", "dropped.txt");
  await page.getByText("Drop files to attach them").waitFor();
  await give(page, pane, "drop", "dropped.txt");
  await ready(page, 3);
  await give(page, pane, "drop", "unwanted.txt");
  await ready(page, 4);
  await page.getByRole("button", { name: "Remove unwanted.txt" }).focus();
  await page.keyboard.press("Enter");
  await ready(page, 3);
  await reply.focus();
  await page.keyboard.press("Control+Enter");
  const sent = await until("the message", async () => (await api.get(path)).messages.data[0]);
  assert.deepEqual(
    sent.attachments.map(({ fileName }) => fileName),
    ["tiny.png", "pasted.txt", "dropped.txt"],
  );
  assert.equal(sent.content, "");
  assert.equal(sent.contentType, "image");
  const picture = page.getByRole("article").getByRole("img", { name: "tiny.png" });
  await until("the picture", () => picture.evaluate((image) => image.complete && image.naturalWidth === 1));
  await picture.click();
  const large = page.getByRole("dialog", { name: "Pictures" });
  await large.getByText("1 of 1").waitFor();
  await page.keyboard.press("ArrowRight"); // there is no other
  await large.getByRole("img", { name: "tiny.png" }).waitFor();
  await page.keyboard.press("Escape");
  await large.waitFor({ state: "detached" });
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: /pasted\.txt/ }).click()]);
  assert.equal(download.suggestedFilename(), "pasted.txt");
  assert.equal(await readFile(await download.path(), "utf8"), "hello");
  assert.equal(await chips(page).count(), 0);
});

scene("files of a draft survive a reload", async ({ page }) => {
  await talk(page, "Dora Draft");
  await choose(page, { name: "kept.png", mimeType: "image/png", buffer: png });
  await ready(page, 1);
  await page.reload();
  await ready(page, 1);
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByRole("article").getByRole("img", { name: "kept.png" }).waitFor();
});

scene("a stranger's file never becomes a page", async ({ page, context }) => {
  const path = await talk(page, "Eve Evil");
  const script = "<script>alert(document.domain)</script>";
  const files = {
    "page.html": ["text/html", `<html>${script}`],
    "drawing.svg": ["image/svg+xml", `<svg xmlns="http://www.w3.org/2000/svg">${script}</svg>`],
    "fake.png": ["image/png", `<html>${script}`],
  };
  const attachmentIds = [];
  for (const [name, [type, body]] of Object.entries(files)) {
    const answer = await fetch(`${server.origin}/v1/public/attachments?fileName=${name}`, { method: "POST", headers: { Authorization: `Bearer ${server.key}`, "Content-Type": type }, body });
    attachmentIds.push((await answer.json()).id);
  }
  await api.post(`${path}/messages`, { role: "incoming", attachmentIds });
  for (const name of Object.keys(files)) {
    // The link opens another tab, which becomes a download before it shows anything.
    const downloaded = new Promise((saved) => {
      page.once("download", saved);
      context.once("page", (tab) => tab.once("download", saved));
    });
    await page
      .getByRole("article")
      .getByRole("link", { name: new RegExp(name) })
      .click();
    assert.equal((await downloaded).suggestedFilename(), name);
  }
  assert.equal(
    await page
      .getByRole("article")
      .getByRole("img", { name: /fake|drawing/ })
      .count(),
    0,
  );
});

scene("a file that is too large says so and disappears again", { allow: [/413|ERR_CONNECTION|ERR_FAILED|attachments/] }, async ({ page }) => {
  await talk(page, "Lars Large");
  const folder = await mkdtemp(join(tmpdir(), "parley-large-"));
  const large = await open(join(folder, "large.bin"), "w");
  await large.truncate(26 << 20);
  await large.close();
  await choose(page, join(folder, "large.bin"));
  await chips(page).getByRole("alert").waitFor();
  await rm(folder, { recursive: true });
  await page.getByRole("textbox", { name: "Reply" }).fill("never mind");
  await page.getByRole("button", { name: "Remove large.bin" }).click();
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByRole("article").getByText("never mind").waitFor();
});
