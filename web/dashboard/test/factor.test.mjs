// The second factor: setting it up, signing in by it, requiring it, and resetting it.
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { as, client, openSuite } from "./start.mjs";

const { scene, server, join } = await openSuite();
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const refused = [/Failed to load resource.*40[019]/];
const password = "a long enough password";

/** The code that an app shows `later` steps of 30 seconds from now (RFC 6238). */
function codeOf(key, later = 0) {
  const bits = [...key].map((letter) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter).toString(2).padStart(5, "0")).join("");
  const secret = Buffer.from(bits.match(/.{8}/g).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + later));
  const sum = createHmac("sha1", secret).update(counter).digest();
  return String((sum.readUInt32BE(sum.at(-1) & 15) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

async function accessible(page, what) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }));
  assert.deepEqual(
    violations.map(({ id, nodes }) => `${what}: ${id} ${nodes[0].html}`),
    [],
  );
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${what} scrolls sideways`);
}

async function signInAt(page, email) {
  await page.goto("/signin");
  await page.getByRole("textbox", { name: "E-mail" }).fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.keyboard.press("Enter");
}

/** Fills in the code that the app would show, and returns the key and the recovery codes. */
async function setUpAt(page) {
  const key = await page.getByRole("status", { name: "Key" }).innerText();
  await page.getByRole("img", { name: "QR code of the second factor" }).waitFor();
  await accessible(page, "the set-up");
  await page.getByRole("textbox", { name: "Code" }).fill(codeOf(key));
  await page.keyboard.press("Enter");
  const list = page.getByRole("list", { name: "Recovery codes" });
  await list.waitFor();
  await accessible(page, "the recovery codes");
  return { key, codes: await list.getByRole("listitem").allInnerTexts() };
}

scene("a member sets up a second factor, signs in by it and by a recovery code, and turns it off", { allow: refused, token: "", viewport: { width: 320, height: 640 } }, async ({ visit }) => {
  const fay = { email: "fay.factor@example.org", name: "Fay Factor", password };
  const first = await join(fay);
  const page = await (await visit({ token: first, permissions: ["clipboard-read", "clipboard-write"] })).newPage();
  await page.goto("/settings/profile");
  await page.getByText("You have none.").waitFor();
  await page.getByRole("button", { name: "Set up", exact: true }).click();
  const ask = page.getByRole("dialog", { name: "Second factor" });
  await ask.getByLabel("Your password").fill("not the password");
  await page.keyboard.press("Enter");
  await ask.getByText("Must be your password.").waitFor();
  await ask.getByLabel("Your password").fill(password);
  await page.keyboard.press("Enter");
  await page.getByRole("textbox", { name: "Code" }).fill("12345");
  await page.keyboard.press("Enter");
  await page.getByText(/Must be the code that your app shows now/).waitFor();
  const { key, codes } = await setUpAt(page);
  assert.equal(new Set(codes).size, 10);
  await page.getByRole("button", { name: "Copy all" }).click();
  await page.getByRole("button", { name: "Copied" }).waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), codes.join("\n"));
  await page.getByRole("button", { name: "I have kept them" }).click();
  await page.getByText(/^On since .* 10 recovery codes are left\.$/).waitFor();
  await accessible(page, "the profile");
  assert.equal((await fetch(`${server.origin}/v1/dashboard/session`, { headers: as(first) })).status, 401, "the session from before goes on");

  const other = await (await visit({ token: "" })).newPage();
  await signInAt(other, fay.email);
  await other.getByRole("heading", { name: "Second step" }).waitFor();
  await accessible(other, "the second step");
  await other.goto("/contacts"); // the half session opens nothing
  await other.getByRole("heading", { name: "Sign in" }).waitFor();
  await signInAt(other, fay.email);
  const code = other.getByRole("textbox", { name: "Code" });
  await code.fill("000000");
  await other.keyboard.press("Enter");
  await other.getByText(/Must be the code that your app shows now, or a recovery code/).waitFor();
  await code.fill(codeOf(key, 1));
  await other.keyboard.press("Enter");
  await other.getByRole("heading", { name: "All open" }).waitFor();

  const lost = await (await visit({ token: "" })).newPage();
  await signInAt(lost, fay.email);
  await lost.getByRole("button", { name: "Use a recovery code" }).click();
  await lost.getByRole("textbox", { name: "Recovery code" }).fill(codes[4].toUpperCase());
  await lost.keyboard.press("Enter");
  await lost.getByRole("heading", { name: "All open" }).waitFor();

  await page.reload();
  await page.getByText(/9 recovery codes are left/).waitFor();
  await page.getByRole("button", { name: "New recovery codes" }).click();
  await page.getByLabel("Your password").fill(password);
  await page.getByRole("button", { name: "Continue" }).click();
  const renewed = page.getByRole("list", { name: "Recovery codes" });
  assert.ok(!codes.includes(await renewed.getByRole("listitem").first().innerText()), "the codes are the old ones");
  await page.keyboard.press("Escape");
  await page.mouse.click(2, 2);
  assert.ok(await renewed.isVisible(), "codes that are shown once went away by Escape or a click beside them");
  await page.getByRole("button", { name: "I have kept them" }).click();
  await page.getByText(/10 recovery codes are left/).waitFor();
  await page.getByRole("button", { name: "Turn off" }).click();
  const off = page.getByRole("dialog", { name: "Turn the second factor off?" });
  await off.getByLabel("Your password").fill(password);
  await off.getByRole("button", { name: "Turn off" }).click();
  await page.getByText("You have none.").waitFor();
  await other.getByRole("heading", { name: "Sign in" }).waitFor();
  await signInAt(other, fay.email);
  await other.getByRole("heading", { name: "All open" }).waitFor();
});

scene("an owner requires a second factor: members without one can only set it up, and admins reset it", { allow: refused }, async ({ page, visit }) => {
  const members = [
    { email: "max.missing@example.org", name: "Max Missing", password },
    { email: "rae.reset@example.org", name: "Rae Reset", password },
  ];
  const open = await (await visit({ token: await join(members[0]) })).newPage();
  await join(members[1]);
  await open.goto("/contacts");
  await open.getByRole("heading", { level: 1, name: "Contacts" }).waitFor();

  await page.goto("/settings/workspace");
  const required = page.getByRole("switch", { name: /Every member needs a second factor/ });
  const require = async () => {
    await required.click();
    await page.getByRole("dialog", { name: "Require a second factor of all members?" }).getByRole("button", { name: "Require" }).click();
  };
  await page.getByText("Set up your own first, in your profile.").waitFor();
  assert.ok(await required.isDisabled());
  await page.goto("/settings/profile");
  await page.getByRole("button", { name: "Set up", exact: true }).click();
  await page.getByLabel("Your password").fill(server.password);
  await page.keyboard.press("Enter");
  await setUpAt(page);
  await page.getByRole("button", { name: "I have kept them" }).click();
  await page.goto("/settings/workspace");
  await require();
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  assert.ok(await required.isChecked());
  await accessible(page, "the workspace");
  await open.getByRole("heading", { name: "Sign in" }).waitFor();

  const small = await (await visit({ token: "", viewport: { width: 320, height: 640 } })).newPage();
  await signInAt(small, members[1].email);
  await small.getByRole("heading", { name: "Set up a second factor" }).waitFor();
  await setUpAt(small);
  await small.getByRole("button", { name: "I have kept them" }).click();
  await small.getByRole("heading", { name: "All open" }).waitFor();
  await small.goto("/settings/profile");
  await small.getByText(/^On since/).waitFor();
  assert.equal(await small.getByRole("button", { name: "Turn off" }).count(), 0);

  await page.goto("/settings/members");
  const rows = page.getByRole("list", { name: "Members", exact: true }).getByRole("listitem");
  await rows.filter({ hasText: "Rae Reset" }).getByText("Second factor").waitFor();
  assert.equal(await rows.filter({ hasText: "Max Missing" }).getByText("Second factor").count(), 0);
  await page.getByRole("button", { name: "More about Rae Reset" }).click();
  await page.getByRole("menuitem", { name: "Reset the second factor" }).click();
  await page.getByRole("dialog", { name: "Reset the second factor of Rae Reset?" }).getByRole("button", { name: "Reset the second factor" }).click();
  await page.getByText("The second factor of Rae Reset is reset").waitFor();
  await accessible(page, "the members");
  await small.getByRole("heading", { name: "Sign in" }).waitFor();

  await page.goto("/settings/members");
  const { link } = await client(server.origin, as((await page.context().cookies()).find(({ name }) => name === "__Host-parley").value)).post("/v1/dashboard/invitations", {
    email: "jo.joins@example.org",
    role: "agent",
  });
  const guest = await (await visit({ token: "", locale: "de-DE" })).newPage();
  await guest.goto(link);
  await guest.getByRole("textbox", { name: "Ihr Name" }).fill("Jo Joins");
  await guest.getByLabel("Passwort", { exact: true }).fill(password);
  await guest.getByLabel("Passwort wiederholen").fill(password);
  await guest.getByRole("button", { name: "Beitreten" }).click();
  await guest.getByRole("heading", { name: "Zweiten Faktor einrichten" }).waitFor();
  await guest.getByRole("status", { name: "Schlüssel" }).waitFor();
});
