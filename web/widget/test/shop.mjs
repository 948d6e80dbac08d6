// Shared by the tests of the widget: the shop's customer in the chat, the agent
// in the dashboard, identities of every kind, and a website of somebody else.
import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import { once } from "node:events";
import { after } from "node:test";

/** Opens the chat on a page with the tag. */
export async function openChat(page) {
  await page.getByRole("button", { name: /^Open / }).click();
  await page.getByRole("dialog").waitFor();
  return page.frameLocator("iframe");
}

/** Goes to the field for messages: a chat with articles begins with these. */
export async function begin(chat) {
  const button = chat.getByRole("button", { name: /^Write to us/ });
  const field = chat.getByRole("textbox", { name: "Message" });
  if (
    await button
      .or(field)
      .first()
      .evaluate((found) => found.tagName === "BUTTON")
  )
    await button.click();
  await field.waitFor();
}

export async function write(chat, text) {
  await begin(chat);
  await chat.getByRole("textbox", { name: "Message" }).fill(text);
  await chat.getByRole("button", { name: "Send", exact: true }).click();
}

/** The messages of the open conversation. */
export const messages = (chat) => chat.getByRole("log").getByRole("article");

const encoded = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** Signs an identity like a company's server. */
export function identity({ kid, secret }, claims, header = {}) {
  const now = Math.floor(Date.now() / 1000);
  const signed = `${encoded({ alg: "HS256", typ: "JWT", kid, ...header })}.${encoded({ iat: now, exp: now + 3600, ...claims })}`;
  return `${signed}.${createHmac("sha256", secret).update(signed).digest("base64url")}`;
}

/** A website of somebody else, with the tag, more attributes of it, and the identity that its server provides. Returns its origin. */
export async function website({ server, inbox, token, lang = "en", attributes = "" }) {
  const site = createServer((request, response) => {
    if (request.url !== "/") return response.writeHead(204).end();
    const named = typeof token === "function" ? token() : token;
    const name = named ? `<script>window.Parley ??= function () { (Parley.q ??= []).push(arguments) }; Parley("identify", { token: ${JSON.stringify(named)} });</script>` : "";
    response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" });
    response.end(
      `<!doctype html><html lang="${lang}"><title>A shop</title>${name}<script src="${server.origin}/widget.js" data-inbox="${inbox}" ${attributes} async></script><main><h1>A shop</h1></main></html>`,
    );
  });
  site.listen(0, "127.0.0.1");
  await once(site, "listening");
  after(() => {
    site.closeAllConnections();
    site.close();
  });
  return `http://127.0.0.1:${site.address().port}`;
}

/** Collects the console output of a page from now on. */
export function consoleOf(page) {
  const lines = [];
  page.on("console", (message) => lines.push(message.text()));
  return lines;
}
