// The first hour of an owner: from signing in to a server without data to a
// first message on a website of their own and an invitation.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after } from "node:test";
import { openSuite, until } from "./start.mjs";

const { scene, server, desk } = await openSuite([], { empty: true });

/** A website with one page, which has the tag once the owner has put it there. */
let tag = "";
const site = createServer((_, answer) => answer.setHeader("Content-Type", "text/html").end(`<!doctype html><html lang="en"><title>Acme</title><link rel="icon" href="data:,"><h1>Acme</h1>${tag}`));
await new Promise((listening) => site.listen(0, "127.0.0.1", listening));
after(() => site.close());
const host = `127.0.0.1:${site.address().port}`;

scene("an owner is led from signing in to the first message and the first invitation", { token: "", allow: [/^request: /, /status of 401/] }, async ({ page, visit }) => {
  const open = (name) => page.locator("li[aria-current=step]").getByRole("heading", { name });
  await page.goto("/");
  await page.getByRole("textbox", { name: "E-mail" }).fill(server.login);
  await page.getByLabel("Password", { exact: true }).fill(server.password);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Set up your workspace" }).waitFor();
  assert.equal(new URL(page.url()).pathname, "/welcome");

  await open("Who you are").waitFor();
  await page.getByRole("textbox", { name: "Name of your company" }).fill("Acme");
  await page.getByRole("textbox", { name: "Your own name" }).fill("Ann Lindqvist");
  await page.keyboard.press("Enter");
  await open("Put the chat on your website").waitFor();
  await page.getByText("1 of 4 done").waitFor();
  const line = page.getByLabel("Tag for your website", { exact: true });
  await line.waitFor();
  tag = await line.innerText();
  assert.match(tag, /^<script src="http:.*\/widget\.js" data-inbox="[0-9a-f-]+" async><\/script>$/);
  await page.getByText("Waiting for the first view").waitFor();
  assert.equal((await desk.get("/v1/dashboard/state")).inboxes.filter(({ channelType }) => channelType === "web").length, 1, "one inbox is made");

  const visitor = await (await visit({ origin: `http://${host}`, locale: "en-GB" })).newPage();
  await visitor.goto("/");
  const chat = visitor.frameLocator("iframe");
  await visitor.getByRole("button", { name: /^Open/ }).waitFor();
  await page.getByText(`Seen on ${host}`).waitFor();
  await page.getByRole("button", { name: "Let only this website show the chat" }).click();
  await until("the website is the only one", async () => {
    const { inboxes } = await desk.get("/v1/dashboard/state");
    const { origins } = await desk.get(`/v1/dashboard/inboxes/${inboxes.find(({ channelType }) => channelType === "web").id}/widget`);
    return origins.join() === `http://${host}`;
  });
  await page.getByRole("button", { name: "Continue" }).click();
  await open("Receive a first message").waitFor();
  await page.getByText("Waiting for the first message").waitFor();

  await visitor.getByRole("button", { name: /^Open/ }).click();
  await chat.getByRole("textbox").fill("Do you ship to Norway?");
  await visitor.keyboard.press("Enter");
  await page.getByText("Do you ship to Norway?").waitFor();
  await page.getByRole("button", { name: "Continue" }).click();

  await page.getByRole("textbox", { name: "Their e-mail address" }).fill("bo@acme.example");
  await page.keyboard.press("Enter");
  const link = await page.getByLabel("Link for bo@acme.example").innerText();
  assert.match(link, /\/invite#pi_/);
  await page.getByText("4 of 4 done").waitFor();
  await page.reload();
  await page.getByText("Everything is set up").waitFor();
  await page.getByText("Invited: bo@acme.example").waitFor();
  await page.getByRole("button", { name: "Go to the inbox" }).click();
  await page.getByRole("heading", { name: "All open" }).waitFor();
  await page.goto("/");
  await page.getByRole("heading", { name: "All open" }).waitFor();
  assert.notEqual((await desk.get("/v1/dashboard/welcome")).finishedAt, null);
});

scene("steps can be skipped, and the rest too", { allow: [/ERR_FAILED/] }, async ({ page, context }) => {
  const state = await desk.get("/v1/dashboard/state");
  const member = { ...state.member, name: "owner" };
  await context.route("**/v1/dashboard/state", (route) => route.fulfill({ json: { ...state, workspace: { ...state.workspace, name: "My company" }, member, members: [member], inboxes: [] } }));
  await context.route("**/v1/public/conversations?*", (route) => route.fulfill({ json: { data: [], has_more: false, next_cursor: "" } }));
  await context.route("**/v1/dashboard/welcome", (route) => route.fulfill({ json: { finishedAt: null, views: [] } }));
  await context.route("**/v1/dashboard/invitations", (route) => route.fulfill({ json: { data: [] } }));
  await context.route("**/v1/dashboard/inboxes", (route) => route.abort());
  await page.goto("/inbox?status=open");
  await page.getByRole("link", { name: "Set up the workspace" }).click();
  const open = (name) => page.locator("li[aria-current=step]").getByRole("heading", { name });
  for (const name of ["Who you are", "Put the chat on your website", "Receive a first message"]) {
    await open(name).waitFor();
    await page.getByRole("button", { name: "Skip", exact: true }).click();
  }
  await open("Invite a colleague").waitFor();
  await page.reload();
  await open("Invite a colleague").waitFor();
  await page.getByText("0 of 4 done").waitFor();
  await page.getByRole("button", { name: "Skip the rest" }).click();
  await page.waitForURL(/\/inbox/);
});
