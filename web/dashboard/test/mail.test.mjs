// Mails: an invitation and a link for a new password arrive, and lead where they should.
import assert from "node:assert/strict";
import { openSuite, until } from "./start.mjs";

const { scene, server } = await openSuite();
const signedOut = { token: "" };
const refused = [/Failed to load resource.*40[014]/];
const address = "nina.newcomer@example.org";

/** Opens the mailbox of the demo when a mail with a subject is there, and returns the link in the newest one. */
async function linkIn(page, subject) {
  await until(`a mail: ${subject}`, async () => {
    await page.goto("/mailbox");
    const [newest] = await page.getByRole("heading", { level: 2 }).allInnerTexts(); // none before the first mail
    return newest?.startsWith(subject);
  });
  return page.getByRole("article").first().getByRole("link").getAttribute("href");
}

scene("an invitation arrives by mail, and its link makes a member, by the keyboard alone", { allow: refused }, async ({ page, visit }) => {
  await page.goto("/settings/members");
  await page.getByRole("button", { name: "Invite", exact: true }).press("Enter");
  const form = page.getByRole("dialog", { name: "Invite a member" });
  await form.getByRole("checkbox", { name: /Send it by mail/ }).waitFor();
  assert.ok(await form.getByRole("checkbox", { name: /Send it by mail/ }).isChecked(), "mails are off");
  await page.keyboard.type(address);
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "The invitation is ready" }).waitFor();
  await page.keyboard.press("Escape");

  const guest = await (await visit(signedOut)).newPage();
  const link = await linkIn(guest, "Ann");
  assert.equal(new URL(link).origin, server.origin);
  await guest.goto(link);
  await guest.getByRole("textbox", { name: "Your name" }).fill("Nina Newcomer");
  await guest.getByLabel("Password", { exact: true }).fill("a long enough password");
  await guest.getByLabel("Repeat password").fill("a long enough password");
  await guest.keyboard.press("Enter");
  await guest.getByRole("heading", { name: "All open" }).waitFor();
});

scene("mails are on in a form that was opened before it was known that there are any", async ({ page }) => {
  let answer;
  const held = new Promise((resolve) => (answer = resolve));
  await page.route(/\/v1\/dashboard\/mails/, (route) => held.then(() => route.continue()));
  await page.goto("/settings/members");
  await page.getByRole("button", { name: "Invite", exact: true }).press("Enter");
  const form = page.getByRole("dialog", { name: "Invite a member" });
  await form.getByRole("textbox", { name: "E-mail address" }).waitFor();
  answer();
  await form.getByRole("checkbox", { name: /Send it by mail/ }).waitFor();
  assert.ok(await form.getByRole("checkbox", { name: /Send it by mail/ }).isChecked());
});

scene("whoever forgot a password gets a link by mail, and strangers get the same answer", { ...signedOut, allow: refused }, async ({ page }) => {
  await page.goto("/signin");
  const ask = page.getByRole("button", { name: "Send me a link for a new password" });
  await ask.press("Enter");
  await page.getByText("Write your e-mail address above first.").waitFor();
  await page.getByRole("textbox", { name: "E-mail" }).fill("stranger@example.org");
  await ask.press("Enter");
  await page.getByText("If stranger@example.org belongs to a member, a link is on its way.").waitFor();
  await page.getByRole("textbox", { name: "E-mail" }).fill(address);
  await ask.press("Enter");
  await page.getByText(`If ${address} belongs to a member, a link is on its way.`).waitFor();
  const link = await linkIn(page, "Set a new password");
  await page.goto(link);
  await page.getByLabel("New password", { exact: true }).fill("another long password");
  await page.getByLabel("Repeat password").fill("another long password");
  await page.getByRole("button", { name: "Set the password" }).click();
  await page.getByRole("heading", { name: "All open" }).waitFor();
});

scene("the settings tell what became of the mails, and test the mail server, at 320 pixels", { viewport: { width: 320, height: 640 } }, async ({ page }) => {
  await page.goto("/settings/mail");
  const list = page.getByRole("list", { name: "Mails" });
  await list.getByText("New password to Nina Newcomer").waitFor();
  assert.ok((await list.getByText("Sent", { exact: true }).count()) >= 2, "the mails were not sent");
  assert.ok(!(await page.locator("main").innerText()).includes("pi_"), "the page shows a link");
  await page.getByRole("button", { name: "Send a test mail to me" }).press("Enter");
  await page.getByText("The mail server took the mail.").waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
});
