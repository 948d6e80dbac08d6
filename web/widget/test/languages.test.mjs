// The chat in every language, chosen by the tag, the page or the browser, and written
// from right to left where the language is.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { openSuite, until } from "../../dashboard/test/start.mjs";
import { messages, website } from "./shop.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const folder = join(import.meta.dirname, "../../../internal/words/chat");
const catalogues = Object.fromEntries(readdirSync(folder).map((name) => [name.replace(".json", ""), JSON.parse(readFileSync(join(folder, name), "utf8"))]));
const { scene, server, desk, api } = await openSuite();
const { id: inbox } = await desk.post("/v1/dashboard/inboxes", { name: "Everywhere", channelType: "web" });
await desk.patch(`/v1/dashboard/inboxes/${inbox}/widget`, { title: "Everywhere", greeting: "" });
const allow = [/request: http:\/\/127/];

const frameOf = (page) => page.frames().find((one) => one.url().includes("/widget/frame"));
/** What the button is called. A name in a text from right to left is isolated. */
const button = (language, does) => catalogues[language][does].replace("{title}", ["ar", "he"].includes(language) ? "\u2068Everywhere\u2069" : "Everywhere");
/** The language and the direction of the chat, and the words of its button and its field. */
const spoken = async (page, language) => {
  const words = catalogues[language];
  await page.getByRole("button", { name: button(language, "close"), includeHidden: true }).waitFor({ state: "attached" });
  await page.frameLocator("iframe").getByRole("textbox", { name: words["composer.message"], exact: true }).waitFor();
  return frameOf(page).evaluate(() => `${document.documentElement.lang} ${document.documentElement.dir}`);
};

scene("the chat speaks what the tag, the page or the browser asks for", { allow }, async ({ visit }) => {
  for (const [lang, attributes, locale, want] of [
    ["en", 'data-language="fr"', "de-DE", "fr ltr"],
    ["pl", "", "de-DE", "pl ltr"],
    ["", "", "he-IL", "he rtl"],
    ["ka", 'data-language="xx"', "tr-TR", "tr ltr"],
    ["ka", "", "zh-TW", "en ltr"],
  ]) {
    const page = await (await visit({ locale })).newPage();
    await page.goto(await website({ server, inbox, lang, attributes }));
    await page.getByRole("button", { name: button(want.slice(0, 2), "open") }).click();
    assert.equal(await spoken(page, want.slice(0, 2)), want, `${lang}, ${attributes}, ${locale}`);
    await page.context().close();
  }
});

scene("every language opens a chat, and the page may change it", { allow }, async ({ visit }) => {
  const page = await (await visit({ locale: "en-US" })).newPage();
  await page.goto(await website({ server, inbox }));
  await page.evaluate(() => window.Parley("open"));
  await spoken(page, "en");
  await page.frameLocator("iframe").getByRole("textbox").fill("kept");
  for (const language of Object.keys(catalogues)) {
    await page.evaluate((to) => window.Parley("language", to), language);
    assert.equal(await spoken(page, language), `${language} ${["ar", "he"].includes(language) ? "rtl" : "ltr"}`);
    await page.frameLocator("iframe").getByRole("button", { name: catalogues[language]["composer.send"], exact: true }).waitFor();
    assert.equal(await page.frameLocator("iframe").getByRole("textbox").inputValue(), "kept", "what was written");
  }
});

for (const [look, options] of Object.entries({ desktop: {}, phone: { viewport: { width: 320, height: 640 }, hasTouch: true } })) {
  scene(`Arabic is written from right to left, ${look}`, { allow }, async ({ visit }) => {
    const words = catalogues.ar;
    const { id: inbox } = await desk.post("/v1/dashboard/inboxes", { name: look, channelType: "web" });
    const page = await (await visit({ locale: "ar-EG", ...options })).newPage();
    await page.goto(await website({ server, inbox, lang: "ar" }));
    await page.getByRole("button", { name: /^فتح/ }).click();
    const chat = page.frameLocator("iframe");
    await chat.getByRole("textbox", { name: words["composer.message"], exact: true }).fill("مرحبا، أين طردي رقم 42؟");
    await chat.getByRole("button", { name: words["composer.send"], exact: true }).click();
    await until("the message", async () => (await api.get(`/v1/public/conversations?inboxId=${inbox}&limit=1`)).data.length > 0);
    const [{ id }] = (await api.get(`/v1/public/conversations?inboxId=${inbox}&limit=1`)).data;
    await desk.post(`/v1/public/conversations/${id}/messages`, { content: "Your parcel arrives tomorrow." });
    await messages(chat).filter({ hasText: "arrives" }).waitFor();
    const edges = (text) =>
      messages(chat)
        .filter({ hasText: text })
        .locator(".bubble")
        .evaluate((bubble) => ({ left: bubble.getBoundingClientRect().left, right: innerWidth - bubble.getBoundingClientRect().right, dir: getComputedStyle(bubble).direction }));
    const [own, team] = [await edges("42"), await edges("arrives")];
    assert.ok(own.left < team.left && own.right > team.right, "the customer's messages are on the left");
    assert.deepEqual([own.dir, team.dir], ["rtl", "ltr"], "each text has its own direction");
    const frame = frameOf(page);
    assert.equal(await frame.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, "nothing is cut off");
    const send = await chat.getByRole("button", { name: words["composer.send"], exact: true }).boundingBox();
    const field = await chat.getByRole("textbox").boundingBox();
    assert.ok(send.x < field.x, "the button is at the end of the line");
    await frame.evaluate(axe);
    const found = await frame.evaluate(async () => (await window.axe.run(document, { resultTypes: ["violations"], iframes: false })).violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`));
    assert.deepEqual(found, []);
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/ar-${look}.png` });
    await chat.getByRole("button", { name: words["thread.all"] }).click();
    await chat.getByRole("heading", { name: words["home.conversations"] }).waitFor();
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/ar-home-${look}.png` });
  });
}

scene("the rest of the chat in German, at 320 pixels", { allow: [/favicon/] }, async ({ visit }) => {
  const page = await (await visit({ locale: "de-DE", viewport: { width: 320, height: 640 } })).newPage();
  await page.goto(`/widget/frame?inbox=${inbox}&language=de`);
  await page.getByRole("textbox", { name: "Nachricht" }).fill("Wo ist mein Paket?");
  await page.getByRole("button", { name: "Senden", exact: true }).click();
  await page
    .getByRole("log", { name: "Nachrichten" })
    .getByRole("article", { name: /^Sie, \d+:\d\d$/ })
    .waitFor();
  await page.locator("input[type=file]").setInputFiles({ name: "leer.pdf", mimeType: "application/pdf", buffer: Buffer.from("") });
  await page.getByText("Die Datei ist leer.").waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/de-phone.png` });
});

scene("the company changes what the chat says in one language; the preview shows it, and text is text", { allow }, async ({ page, visit }) => {
  await page.goto(`/settings/inboxes/${inbox}/widget`);
  await page.getByRole("link", { name: "Texts" }).click();
  await page.getByLabel("Language").selectOption("de");
  const form = page.getByRole("form", { name: "The texts" });
  await form.getByLabel("Search texts").fill("write a message");
  await form.getByPlaceholder("Nachricht schreiben …").fill("Was gibt’s? <b>{name}</b>");
  await form.getByRole("button", { name: "Save", exact: true }).click();
  await form.getByText(/Write the same places in braces as in “Nachricht schreiben …”/).waitFor();
  await form.getByPlaceholder("Nachricht schreiben …").fill("Was gibt’s? <b>");
  await page.frameLocator("iframe").getByPlaceholder("Was gibt’s? <b>").waitFor();
  await form.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Texts saved").waitFor();
  await page.getByLabel("Language").getByRole("option", { name: "German (1 changed)" }).waitFor({ state: "attached" });
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/texts.png` });

  const shop = await (await visit({ locale: "de-AT" })).newPage();
  await shop.goto(await website({ server, inbox, lang: "" }));
  await shop.getByRole("button", { name: "Everywhere öffnen" }).click();
  const chat = shop.frameLocator("iframe");
  await chat.getByPlaceholder("Was gibt’s? <b>").waitFor();
  await shop.evaluate(() => window.Parley("language", "fr"));
  await chat.getByPlaceholder(catalogues.fr["composer.placeholder"]).waitFor();

  await form.getByPlaceholder("Nachricht schreiben …").fill("");
  await form.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByLabel("Language").getByRole("option", { name: "German", exact: true }).waitFor({ state: "attached" });
  assert.deepEqual((await desk.get(`/v1/dashboard/inboxes/${inbox}/texts`)).languages, []);
});
