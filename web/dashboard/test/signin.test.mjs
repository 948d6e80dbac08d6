// How people sign in, and what each role sees.
import assert from "node:assert/strict";
import { openSuite } from "./start.mjs";

const { scene, server, desk } = await openSuite();
const refused = [/Failed to load resource.*(401|404)/];
const signedOut = { token: "" };

const fill = async (page, email, password) => {
  await page.getByRole("textbox", { name: "E-mail" }).fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
};

scene("signing in opens the requested page", { ...signedOut, allow: refused }, async ({ page, context }) => {
  await page.goto("/contacts");
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await fill(page, server.login, server.password);
  await page.getByRole("heading", { level: 1, name: "Contacts" }).waitFor();
  const [cookie] = (await context.cookies()).filter(({ name }) => name === "__Host-parley");
  assert.ok(cookie.httpOnly && cookie.secure && cookie.sameSite === "Lax", "the cookie is not kept safe");
});

scene("a wrong password is reported at the form, without saying which of both was wrong", { ...signedOut, allow: refused }, async ({ page }) => {
  await page.goto("/signin");
  await fill(page, server.login, "not the password");
  await page.getByRole("alert").getByText("E-mail or password is wrong.").waitFor();
  assert.ok(page.url().endsWith("/signin"));
  await fill(page, "nobody@example.org", "not the password");
  await page.getByRole("alert").getByText("E-mail or password is wrong.").waitFor();
  await fill(page, server.login, server.password);
  await page.getByRole("heading", { name: "All open" }).waitFor();
});

scene("an empty form is refused at its fields and sends nothing", signedOut, async ({ page }) => {
  const asked = [];
  page.on("request", (request) => request.method() === "POST" && asked.push(request.url()));
  await page.goto("/signin");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("Your e-mail address is missing").waitFor();
  await page.getByText("Your password is missing").waitFor();
  assert.deepEqual(asked, []);
});

scene("a link in the address of the sign-in cannot lead elsewhere", { ...signedOut, allow: refused }, async ({ page }) => {
  for (const next of ["https://evil.example/", "//evil.example/", "/\\evil.example", "javascript:alert(1)", "/\t/evil.example"]) {
    await page.context().clearCookies();
    await page.goto(`/signin?next=${encodeURIComponent(next)}`);
    await fill(page, server.login, server.password);
    await page.waitForURL((url) => url.pathname !== "/signin");
    assert.equal(new URL(page.url()).origin, server.origin, next);
  }
});

scene("signing out ends the session, in every tab", { ...signedOut, allow: refused }, async ({ page, context }) => {
  await page.goto("/signin");
  await fill(page, server.login, server.password);
  await page.getByRole("heading", { name: "All open" }).waitFor();
  const other = await context.newPage();
  await other.goto("/contacts");
  await other.getByRole("heading", { level: 1, name: "Contacts" }).waitFor();
  await page.bringToFront(); // a tab behind another renders once a second
  await page.getByRole("button", { name: "Ann" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await other.getByRole("heading", { name: "Sign in" }).waitFor();
  assert.equal(
    (await context.cookies()).some(({ name, value }) => name === "__Host-parley" && value !== ""),
    false,
  );
});

scene("an invitation by link: created, accepted once, and an agent sees no settings of the admins", { allow: [/Failed to load resource.*40[04]/] }, async ({ page, visit }) => {
  await page.goto("/settings/members");
  await page.getByRole("button", { name: "Invite" }).click();
  const form = page.getByRole("dialog", { name: "Invite a member" });
  await form.getByRole("textbox", { name: "E-mail address" }).fill("not an address");
  await form.getByRole("button", { name: "Create link" }).click();
  await form.getByText(/Enter a valid e-mail address/).waitFor();
  await form.getByRole("textbox", { name: "E-mail address" }).fill("ivo.invited@example.org");
  await form.getByRole("button", { name: "Create link" }).click();
  const link = await page.getByRole("dialog", { name: "The invitation is ready" }).getByRole("status", { name: "Link" }).innerText();
  assert.ok(link.startsWith(`${server.origin}/invite#`), link);
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("list", { name: "Open invitations" }).getByText("ivo.invited@example.org").waitFor();

  const guest = await (await visit({ token: "" })).newPage();
  await guest.goto(link);
  await guest.getByRole("heading", { name: /^Join / }).waitFor();
  assert.ok(!guest.url().includes("#"), "the token stays in the address");
  await guest.getByRole("textbox", { name: "Your name" }).fill("Ivo Invited");
  await guest.getByLabel("Password", { exact: true }).fill("short");
  await guest.getByLabel("Repeat password").fill("short");
  await guest.getByRole("button", { name: "Join" }).click();
  await guest.getByText("At least 12 characters", { exact: false }).nth(1).waitFor(); // the hint, and the error
  for (const [guessed, why] of [
    ["password1234", "Must not be a common password"],
    ["ivo.invited99", "Must not be mostly your name"],
  ]) {
    await guest.getByLabel("Password", { exact: true }).fill(guessed);
    await guest.getByLabel("Repeat password").fill(guessed);
    await guest.getByRole("button", { name: "Join" }).click();
    await guest.getByText(why).waitFor();
  }
  await guest.getByLabel("Password", { exact: true }).fill("a long enough password");
  await guest.getByLabel("Repeat password").fill("a long enough password");
  await guest.getByRole("button", { name: "Join" }).click();
  await guest.getByRole("heading", { name: "All open" }).waitFor();
  await page.getByRole("list", { name: "Members", exact: true }).getByText("Ivo Invited", { exact: true }).waitFor();

  await guest.goto("/settings");
  const menu = guest.getByRole("navigation", { name: "Settings" });
  await menu.getByRole("link", { name: "Profile" }).waitFor();
  assert.deepEqual(await menu.getByRole("link").allInnerTexts(), ["Profile", "Notifications", "Canned answers", "Macros", "Labels", "Article categories"]);
  for (const [path, text] of [
    ["members", "Only for admins"],
    ["keys", "Only for admins"],
    ["products", "Only for admins"],
    ["inboxes", "Only for admins"],
    ["numbers", "Only for admins"],
    ["workspace", "Only for owners"],
    ["identity", "Only for admins"],
  ]) {
    await guest.goto(`/settings/${path}`);
    await guest.getByText(text).waitFor();
  }
  const late = await (await visit({ token: "" })).newPage();
  await late.goto(link);
  await late.getByRole("heading", { name: "This link no longer works" }).waitFor();
});

scene("an admin sees the admins' settings but not the owners'", signedOut, async ({ visit }) => {
  const { link } = await desk.post("/v1/dashboard/invitations", { email: "adam.admin@example.org", role: "admin" });
  const page = await (await visit({ token: "" })).newPage();
  await page.goto(link);
  await page.getByRole("textbox", { name: "Your name" }).fill("Adam Admin");
  await page.getByLabel("Password", { exact: true }).fill("a long enough password");
  await page.getByLabel("Repeat password").fill("a long enough password");
  await page.getByRole("button", { name: "Join" }).click();
  await page.getByRole("heading", { name: "All open" }).waitFor();
  await page.goto("/settings");
  const menu = page.getByRole("navigation", { name: "Settings" });
  await menu.getByRole("link", { name: "API keys" }).waitFor();
  const names = await menu.getByRole("link").allInnerTexts();
  assert.ok(names.includes("Members") && !names.includes("General") && !names.includes("Identity secrets"), names.join());
});

scene("a page of another site can send nothing in the member's name", { allow: [/./s] }, async ({ page, context }) => {
  // The other site is the same machine under its other name.
  const other = server.origin.replace("127.0.0.1", "localhost");
  const form = `<!doctype html><title>other</title><form method=post enctype=text/plain action="${server.origin}/v1/dashboard/labels"><input name='{"name":"forged","color":"red","x":"' value='"}'><button>Win a prize</button></form>`;
  await context.route(`${other}/other`, (route) => route.fulfill({ contentType: "text/html", body: form }));
  await page.goto(`${other}/other`);
  const answered = page.waitForResponse((answer) => answer.request().method() === "POST");
  await page.getByRole("button", { name: "Win a prize" }).click();
  const status = (await answered).status();
  assert.ok(status === 401 || status === 403, `${status}`);
  assert.equal(
    (await desk.get("/v1/dashboard/labels")).data.some(({ name }) => name === "forged"),
    false,
  );
});
