// Help of a language model in the composer: streamed, checked, inserted by one
// key, undone, stopped, and never sent by itself. Its server is played here.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after } from "node:test";
import { openSuite, until } from "./start.mjs";

const asked = [];
let say = () => ["Yes"];
let gone = 0;
const model = createServer(async (request, response) => {
  let body = "";
  for await (const piece of request) body += piece;
  const { messages, stream } = JSON.parse(body || "{}");
  const prompt = messages?.map(({ content }) => content).join("\n") ?? "";
  asked.push(prompt);
  const pieces = say(prompt);
  const usage = { prompt_tokens: 10, completion_tokens: 5 };
  if (!stream) return response.setHeader("Content-Type", "application/json").end(JSON.stringify({ choices: [{ message: { content: pieces.join("") }, finish_reason: "stop" }], usage }));
  response.setHeader("Content-Type", "text/event-stream");
  response.on("close", () => response.writableFinished || gone++);
  for (const piece of pieces) {
    if (piece instanceof Promise) await piece;
    else response.write(`data: ${JSON.stringify({ choices: [{ delta: { content: piece } }] })}\n\n`);
  }
  response.end(`data: ${JSON.stringify({ choices: [{ delta: {}, finish_reason: "stop" }] })}\n\ndata: ${JSON.stringify({ choices: [], usage })}\n\ndata: [DONE]\n\n`);
});
await new Promise((ready) => model.listen(0, "127.0.0.1", ready));
after(() => {
  model.closeAllConnections();
  model.close();
});
const host = `127.0.0.1:${model.address().port}`;
const { scene, api, desk } = await openSuite(["--model-hosts", host]);
const [product] = (await api.get("/v1/public/products")).data;

async function talk(name, content) {
  const contact = await api.post("/v1/public/contacts", { name });
  const conversation = await api.post("/v1/public/conversations", { contactId: contact.id, productId: product.id });
  await api.post(`/v1/public/conversations/${conversation.id}/messages`, { content, role: "incoming" });
  await api.post(`/v1/public/conversations/${conversation.id}/messages`, { content: "zq7 the note", isPrivate: true });
  return conversation;
}
const messages = async ({ id }) => (await api.get(`/v1/public/conversations/${id}/messages`)).data.length;

scene("a model drafts, rewrites and summarizes in the composer, and sends nothing", async ({ page }) => {
  const first = await talk("Ada", "How do I return a zeppelin?");
  const box = page.getByRole("textbox", { name: "Reply", exact: true });
  const panel = page.getByRole("region", { name: "Suggestion" });
  const menu = page.getByRole("button", { name: "Help with writing" });
  await page.goto(`/inbox/${first.id}`);
  await box.waitFor();
  assert.equal(await menu.count(), 0, "without a model there is no menu");
  await page.keyboard.press("Control+K");
  await page.getByRole("combobox").fill("help with writing");
  await page.keyboard.press("Enter");
  await page.getByText("No language model is set up. Admins do that in the settings.").waitFor();

  const article = await api.post("/v1/public/articles", { language: "en", title: "Return a zeppelin", body: "Return a zeppelin within 77 days. Use the label in the box." });
  await api.post(`/v1/public/articles/${article.id}/publish`);
  await until("the index has the article", async () => (await api.get(`/v1/public/articles/search?q=zeppelin&language=en&productId=${product.id}`)).data.length > 0);
  const provider = await desk.post("/v1/dashboard/model-providers", { name: "Played", baseUrl: `http://${host}/v1`, model: "played" });
  const tested = await desk.post(`/v1/dashboard/model-providers/${provider.id}/test`);
  assert.equal(tested.problem, null);
  assert.ok(tested.capabilities.streaming);

  await page.reload();
  await menu.waitFor();
  const mark = (prompt) => /begin source (s[0-9a-f]{8}) ===\nReturn a zeppelin/.exec(prompt)?.[1];
  say = (prompt) => [`{"action":"answer","sources":["${mark(prompt)}"],"answer":"`, "Return the zeppelin within 77 days. ", "Use the label in the box.", '"}'];
  await box.blur();
  asked.length = 0;
  await page.keyboard.press("Shift+D");
  await panel.getByText("Ready. Enter inserts it").waitFor();
  await panel.getByRole("link", { name: "Return a zeppelin" }).waitFor();
  assert.equal(await panel.getByText("Check these").count(), 0);
  assert.ok(asked.length === 1 && !asked[0].includes("zq7"), "a draft is made without notes");
  await until("the focus is there", () => panel.evaluate((section) => section === document.activeElement));
  await page.keyboard.press("Enter");
  assert.equal(await box.inputValue(), "Return the zeppelin within 77 days. Use the label in the box.");
  assert.ok(await box.evaluate((field) => field === document.activeElement));

  // A rewrite streams, and what it adds is marked.
  let go;
  say = () => ["Please return it ", new Promise((resolve) => (go = resolve)), "within 78 days."];
  await menu.click();
  await page.getByRole("menuitem", { name: "Make it friendlier" }).click();
  await panel.getByText("Please return it").waitFor();
  await panel.getByText("Writing…").waitFor();
  go();
  await panel.getByText("78 days", { exact: true }).waitFor();
  await panel.getByRole("button", { name: "Insert" }).click();
  assert.equal(await box.inputValue(), "Please return it within 78 days.");
  await page.getByRole("button", { name: "Undo" }).click();
  assert.equal(await box.inputValue(), "Return the zeppelin within 77 days. Use the label in the box.");

  // Escape stops the model.
  say = () => ["Never", new Promise(() => {})];
  await menu.click();
  await page.getByRole("menuitem", { name: "Make it shorter" }).click();
  await panel.getByText("Never").waitFor();
  await until("the focus is there", () => panel.evaluate((section) => section === document.activeElement));
  await page.keyboard.press("Escape");
  await until("the model is stopped", () => gone > 0);
  assert.equal(await panel.count(), 0);

  // Also before the panel has the focus, which a menu or the palette may still return elsewhere.
  asked.length = 0;
  await page.addInitScript(() => {
    const { setTimeout: set } = window;
    window.setTimeout = (run, after, ...rest) => set(run, after === 50 ? 3_600_000 : after, ...rest);
  });
  await page.reload();
  await menu.waitFor();
  await page.keyboard.press("Shift+D");
  await until("the model is asked", () => asked.length > 0);
  await panel.waitFor();
  await page.keyboard.press("Escape");
  await panel.waitFor({ state: "detached" });
  assert.equal(new URL(page.url()).pathname, `/inbox/${first.id}`, "the conversation stays open");

  // A summary reads notes only if it shall, and becomes a note.
  say = () => ["The customer wants to return a zeppelin."];
  for (const [name, notes] of [
    ["Summarize", false],
    ["Summarize with private notes", true],
  ]) {
    asked.length = 0;
    await menu.click();
    await page.getByRole("menuitem", { name, exact: true }).click();
    await panel.getByText("Ready.").waitFor();
    assert.equal(asked[0].includes("zq7"), notes, name);
  }
  await panel.getByRole("button", { name: "Insert as a private note" }).click();
  await page.getByRole("textbox", { name: "Private note" }).waitFor();
  assert.equal(await messages(first), 2, "nothing was sent");
});
