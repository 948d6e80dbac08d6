// Contacts, companies, and the numbers in reports.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { openSuite, until } from "./start.mjs";

const { scene, api, desk } = await openSuite();

/** Types into a field that is edited in place, and leaves it. */
async function edit(page, label, text) {
  const field = page.getByRole("textbox", { name: label, exact: true });
  await field.fill(text);
  await field.press("Enter");
}

scene("a contact is created, edited in place, linked to a company and unlinked", async ({ page }) => {
  const { id: companyId } = await api.post("/v1/public/companies", { name: "Harbour Works" });
  await page.goto("/contacts");
  await page.getByRole("button", { name: "New contact" }).click();
  const form = page.getByRole("dialog", { name: "New contact" });
  await form.getByRole("textbox", { name: /^Name/ }).fill("Greta Grown");
  await form.getByRole("textbox", { name: /^E-mail/ }).fill("greta@grown.example");
  await form.getByRole("button", { name: "Create contact" }).click();
  await page.getByRole("heading", { level: 1, name: "Greta Grown" }).waitFor();
  const id = new URL(page.url()).pathname.split("/").at(-1);
  const now = () => api.get(`/v1/public/contacts/${id}`);
  assert.equal((await now()).email, "greta@grown.example");
  await edit(page, "Name", "Greta Grownup");
  await page.getByRole("heading", { level: 1, name: "Greta Grownup" }).waitFor();
  assert.equal((await now()).name, "Greta Grownup");
  await page.getByRole("button", { name: "Link a company" }).click();
  await page.getByRole("combobox", { name: "Company" }).fill("harbour");
  await page.getByRole("option", { name: /Harbour Works/ }).click();
  await page.getByRole("link", { name: "Harbour Works" }).waitFor();
  assert.equal((await now()).company.id, companyId);
  await page.getByRole("button", { name: "Unlink Harbour Works" }).click();
  await page.getByText("No company.").waitFor();
  assert.equal((await now()).companyId, null);
  await page.getByRole("button", { name: "Add an attribute" }).click();
  await page.getByRole("textbox", { name: "Name" }).last().fill("plan");
  await page.getByRole("textbox", { name: "Value" }).fill("gold");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByRole("textbox", { name: "plan" }).waitFor();
  assert.equal((await now()).customAttributes.plan, "gold");
});

scene("an error of the server is shown at the field, and Escape reverts the change", { allow: [/Failed to load resource.*400/] }, async ({ page }) => {
  const { id } = await api.post("/v1/public/contacts", { name: "Emil Mail", email: "emil@mail.example" });
  await page.goto(`/contacts/${id}`);
  await edit(page, "E-mail", "no address");
  const field = page.getByRole("textbox", { name: "E-mail", exact: true });
  await until("the fault", async () => (await field.getAttribute("aria-invalid")) === "true");
  await field.press("Escape");
  assert.equal(await field.inputValue(), "emil@mail.example");
  assert.equal((await api.get(`/v1/public/contacts/${id}`)).email, "emil@mail.example");
});

scene("an admin sees what an erasure deletes, and erases a person", { allow: [/Failed to load resource.*(404|503)/, /answer: 503 .*erasure/] }, async ({ page }) => {
  const { id } = await api.post("/v1/public/contacts", { name: "Vera Gone" });
  const { id: conversation } = await api.post("/v1/public/conversations", { contactId: id });
  await api.post(`/v1/public/conversations/${conversation}/messages`, { content: "hello", role: "incoming" });
  await page.goto(`/contacts/${id}`);
  const more = page.getByRole("button", { name: "More about this contact" });
  const dialog = page.getByRole("dialog", { name: "Erase Vera Gone" });
  const open = async () => {
    await more.press("Enter");
    const item = page.getByRole("menuitem", { name: "Erase this person …" });
    await until("the keys reach the entry", async () => {
      await page.keyboard.press("ArrowDown");
      return item.evaluate((entry) => entry === document.activeElement);
    });
    await page.keyboard.press("Enter");
    await dialog.waitFor();
  };
  const counts = `**/v1/dashboard/contacts/${id}/erasure`;
  await page.route(counts, (route) => route.fulfill({ status: 503, json: { error: "too slow" } }));
  await open();
  await dialog.getByText("What this deletes could not be counted.").waitFor();
  await dialog.getByRole("checkbox").press("Space");
  await until("a failed count does not keep from erasing", () => dialog.getByRole("button", { name: "Erase for good" }).isEnabled());
  await page.unroute(counts);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  await until("the focus is back", () => more.evaluate((button) => button === document.activeElement));
  await open();
  await dialog.getByText("1, with 1 message", { exact: true }).waitFor();
  await dialog.getByText(/^This server makes no backups by itself/).waitFor();
  const erase = dialog.getByRole("button", { name: "Erase for good" });
  assert.equal(await erase.isDisabled(), true);
  await dialog.getByRole("checkbox").press("Space");
  await erase.press("Enter");
  await page.getByText("The person is being erased").waitFor();
  for (const path of [`contacts/${id}`, `conversations/${conversation}`]) {
    await until(`${path} is gone`, () =>
      api.get(`/v1/public/${path}`).then(
        () => false,
        () => true,
      ),
    );
  }
});

scene("two contacts become one, and the conversation follows", async ({ page, visit, token }) => {
  const twice = await api.post("/v1/public/contacts", { name: "Max Twice", phoneNumber: "+4915112345678" });
  const kept = await api.post("/v1/public/contacts", { name: "Maximilian Once", email: "max@once.example" });
  const { id } = await api.post("/v1/public/conversations", { contactId: twice.id });
  await api.post(`/v1/public/conversations/${id}/messages`, { content: "It is me again", role: "incoming" });
  const watcher = await (await visit({ token })).newPage();
  await watcher.goto(`/inbox/${id}?status=open`);
  await watcher.getByRole("article", { name: /Max Twice/ }).waitFor();
  await page.goto(`/contacts/${twice.id}`);
  await page.getByRole("button", { name: "More about this contact" }).click();
  await page.getByRole("menuitem", { name: /Merge into another contact/ }).click();
  const dialog = page.getByRole("dialog", { name: /^Merge Max Twice/ });
  await dialog.getByRole("combobox", { name: "Merge into" }).fill("Maximilian");
  await page.getByRole("option", { name: /Maximilian Once/ }).click();
  await dialog.getByRole("table").getByText("+4915112345678").waitFor();
  await dialog.getByRole("button", { name: "Merge into Maximilian Once" }).click();
  await page.getByRole("heading", { level: 1, name: "Maximilian Once" }).waitFor();
  const merged = await api.get(`/v1/public/contacts/${kept.id}`);
  assert.equal(merged.phoneNumber, "+4915112345678");
  assert.equal((await api.get(`/v1/public/conversations/${id}`)).contact.id, kept.id);
  await watcher.getByRole("region", { name: "Conversation with Maximilian Once" }).waitFor();
  // The old address leads to the surviving contact.
  await watcher.goto(`/contacts/${twice.id}`);
  await watcher.getByRole("heading", { level: 1, name: "Maximilian Once" }).waitFor();
});

scene("a company is created, edited in place, and finds its contacts", async ({ page }) => {
  await page.goto("/companies");
  await page.getByRole("button", { name: "New company" }).click();
  const form = page.getByRole("dialog", { name: "New company" });
  await form.getByRole("textbox", { name: /^Name/ }).fill("Lantern Ltd");
  await form.getByRole("button", { name: "Create company" }).click();
  await page.getByRole("heading", { level: 1, name: "Lantern Ltd" }).waitFor();
  const id = new URL(page.url()).pathname.split("/").at(-1);
  await edit(page, "Industry", "Lamps");
  await edit(page, "Website", "https://lantern.example");
  await page.getByRole("link", { name: /lantern\.example/ }).waitFor();
  const company = await api.get(`/v1/public/companies/${id}`);
  assert.equal(company.industry, "Lamps");
  assert.equal(company.website, "https://lantern.example");
  const { id: contactId } = await api.post("/v1/public/contacts", { name: "Lars Lamp", email: "lars@lamp.example" });
  await page.getByRole("button", { name: "Link a contact" }).click();
  await page.getByRole("combobox", { name: "Contact" }).fill("lars@lamp");
  await page.getByRole("option", { name: /Lars Lamp/ }).click();
  await page.getByRole("list", { name: "Contacts of Lantern Ltd" }).getByText("Lars Lamp").waitFor();
  assert.equal((await api.get(`/v1/public/contacts/${contactId}`)).companyId, id);
});

scene("the lists of contacts and companies search, and grow while scrolling", async ({ page }) => {
  await page.goto("/contacts");
  const list = page.getByRole("list", { name: "Contacts" });
  await list.getByRole("listitem").first().waitFor();
  const some = await desk.get("/v1/dashboard/contacts?limit=1");
  await page.getByRole("searchbox").fill(some.data[0].email);
  await until("one contact", async () => (await list.getByRole("listitem").count()) === 1);
  assert.match(await list.innerText(), new RegExp(some.data[0].name));
  await page.getByRole("searchbox").fill("zzzz-nobody");
  await page.getByText("Nothing found").waitFor();
  await page.getByRole("searchbox").fill("");
  await list.getByRole("listitem").first().waitFor();
  const far = async () => {
    await list.getByRole("listitem").last().scrollIntoViewIfNeeded();
    return Number(await list.getByRole("listitem").last().getAttribute("aria-posinset")) > 200;
  };
  await until("the two hundredth contact", far);
});

scene("reports show the numbers of the API, and the CSV has the same rows", async ({ page }) => {
  await page.goto("/reports");
  const table = page.getByRole("region", { name: "All numbers" });
  await table.waitFor();
  const report = await desk.get("/v1/dashboard/reports");
  assert.ok(report.total.opened > 0 && report.total.resolved > 0, "the demo has nothing to report");
  const total = await table.getByRole("row", { name: /^Total/ }).innerText();
  assert.ok(total.includes(report.total.opened.toLocaleString("en-GB")) && total.includes(report.total.resolved.toLocaleString("en-GB")), total);
  for (const by of ["Product", "Inbox", "Member", "Company"]) {
    await page.getByRole("radio", { name: by }).check({ force: true });
    await table.getByRole("columnheader", { name: by }).waitFor();
    const { rows } = await desk.get(`/v1/dashboard/reports?by=${by.toLowerCase()}`);
    await until(`the rows by ${by}`, async () => (await table.locator("tbody tr").count()) === rows.length);
  }
  await page.getByRole("radio", { name: "Day", exact: true }).check({ force: true });
  await page.getByRole("radio", { name: "7 days" }).check({ force: true });
  await until("seven days", async () => (await table.locator("tbody tr").count()) === 7);
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "CSV" }).click();
  const file = await download;
  assert.match(file.suggestedFilename(), /^[a-z-]+\d{4}-\d\d-\d\d-(to-)?\d{4}-\d\d-\d\d\.csv$/);
  const lines = (await readFile(await file.path(), "utf8")).trim().split(/\r\n/);
  assert.equal(lines.length, 8, lines.join("\n"));
  assert.match(lines[0], /opened/i);
});

scene("the report on the automated agent shows its numbers, and leads to what it handed over", async ({ page }) => {
  const [product] = (await api.get("/v1/public/products?limit=1")).data;
  const [contact] = (await api.get("/v1/public/contacts?limit=1")).data;
  const agentOf = `/v1/dashboard/products/${product.id}/agent`;
  for (const { id } of (await api.get("/v1/public/products")).data) await desk.patch(`/v1/dashboard/products/${id}/agent`, { mode: "off" });
  await page.goto("/reports?from=2020-01-01&to=2020-01-07");
  await page.getByRole("tab", { name: "Conversations" }).focus();
  await page.keyboard.press("ArrowRight");
  await page.getByRole("heading", { name: "No product has the automated agent" }).waitFor();
  assert.equal(await page.getByRole("link", { name: "Choose for a product" }).getAttribute("href"), "/settings/models");
  assert.match(page.url(), /\/reports\/agent\?from=2020-01-01&to=2020-01-07$/, "the range stays");

  await desk.patch(agentOf, { mode: "cards" });
  const before = (await desk.get("/v1/dashboard/agent-report")).total;
  const { id } = await api.post("/v1/public/conversations", { contactId: contact.id, productId: product.id });
  await api.post(`/v1/public/conversations/${id}/messages`, { content: "I want to talk to a human, please", role: "incoming" });
  await until("the hand-over", async () => (await desk.get("/v1/dashboard/agent-report")).total.handedOver === before.handedOver + 1);
  await page.getByRole("radio", { name: "7 days" }).check({ force: true });
  const table = page.getByRole("region", { name: "All numbers" });
  await table.getByRole("button", { name: product.name }).click();
  await until("only this product", () => page.url().includes(`productId=${product.id}`));
  const { total } = await desk.get(`/v1/dashboard/agent-report?productId=${product.id}`);
  const row = table.getByRole("row", { name: /^Total/ });
  await until(
    "the numbers of the API",
    async () =>
      (await row.innerText()).split(/\s+/).slice(1, 10).join() ===
      [total.met, total.confirmed, total.answered, total.cards, total.askedBack, total.handedOver, total.unanswered, total.taken, total.unfinished].join(),
  );
  await page.getByText("The customer asked for a person").waitFor();
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "CSV" }).click();
  assert.match(await readFile(await (await download).path(), "utf8"), /^day,product_id,product,met,.*agent_cost/);
  await page.getByRole("link", { name: "Show what still waits for a person" }).click();
  await page.getByRole("region", { name: "Conversations" }).getByText("I want to talk to a human").first().waitFor();
});
