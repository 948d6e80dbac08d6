// Undo: what a member did to one conversation is taken back, also from the next one, and never over a colleague's change.
import assert from "node:assert/strict";
import { openSuite, until } from "./start.mjs";

const { scene, api } = await openSuite();

const talk = async (name) => {
  const contact = await api.post("/v1/public/contacts", { name });
  const conversation = await api.post("/v1/public/conversations", { contactId: contact.id, labels: ["first"] });
  await api.post(`/v1/public/conversations/${conversation.id}/messages`, { content: `Hello from ${name}`, role: "incoming" });
  return conversation.id;
};
const now = async (id) => {
  const { status, priority, labels, assignee, spam, snoozedUntil } = await api.get(`/v1/public/conversations/${id}`);
  return { status, priority, labels, assignee: assignee?.name ?? null, spam, snoozedUntil };
};
const fresh = { status: "open", priority: null, labels: ["first"], assignee: null, spam: false, snoozedUntil: null };
const notes = (page) => page.getByRole("region", { name: "Notifications" });
const becomes = (id, what) => until(JSON.stringify(what), async () => JSON.stringify(await now(id)) === JSON.stringify({ ...fresh, ...what }));

scene("z takes back the last acts one by one, and the notification the last", async ({ page }) => {
  const id = await talk("Una Dew");
  await page.goto(`/inbox/${id}`);
  await page.getByRole("heading", { name: "Una Dew" }).first().waitFor();
  const pick = async (key, option) => {
    await page.keyboard.press(key);
    await page.getByRole("option", { name: option }).click();
  };
  await pick("p", "Urgent");
  await becomes(id, { priority: "urgent" });
  await page.keyboard.press("i");
  await until("assigned", async () => (await now(id)).assignee !== null);
  await notes(page)
    .getByText(/^Assigned to .* · Una Dew$/)
    .waitFor();
  await page.keyboard.press("z");
  await becomes(id, { priority: "urgent" });
  await page.keyboard.press("z");
  await becomes(id, {});
  await notes(page).getByText("Taken back: Priority: Urgent · Una Dew").waitFor();

  await page.keyboard.press("Shift+u");
  await notes(page).getByText("Marked as unread · Una Dew").waitFor();
  await page.keyboard.press("!");
  await becomes(id, { spam: true });
  await notes(page).getByRole("button", { name: "Undo" }).click();
  await becomes(id, {});
});

scene("work through several leaves one notification, and each is undone after going on", async ({ page }) => {
  const ids = [];
  for (const name of ["Ada Quick", "Bob Quick", "Cleo Quick"]) ids.push(await talk(name));
  await page.goto("/inbox?status=open&label=first");
  for (const [at, id] of ids.entries()) {
    await page.goto(`/inbox/${id}?status=open&label=first`);
    await page
      .getByRole("heading", { name: ["Ada Quick", "Bob Quick", "Cleo Quick"][at] })
      .first()
      .waitFor();
    if (at === 0) continue;
    await page.locator(`[data-row="${ids[0]}"]`).waitFor(); // where it goes on
    await page.keyboard.press("e");
    await becomes(id, { status: "resolved" });
    assert.equal(
      await notes(page)
        .getByText(/^Resolved/)
        .count(),
      1,
    );
    if (at === 1) {
      await page.keyboard.press("z");
      await becomes(id, {});
    }
  }
  await page.getByRole("heading", { name: "Cleo Quick" }).first().waitFor({ state: "detached" });
  await page.keyboard.press("z");
  await becomes(ids[2], {});
});

scene("an undo leaves what a colleague has changed since, and says so", { allow: [/Failed to load resource.*409/] }, async ({ page }) => {
  const id = await talk("Mona Sharp");
  await page.goto(`/inbox/${id}?status=resolved`);
  await page.getByRole("heading", { name: "Mona Sharp" }).first().waitFor();
  await page.keyboard.press("e");
  await becomes(id, { status: "resolved" });
  await api.patch(`/v1/public/conversations/${id}`, { status: "pending" });
  await page.keyboard.press("z");
  await notes(page).getByText("Somebody has changed it since, so it stays as it is: Resolved · Mona Sharp").waitFor();
  await becomes(id, { status: "pending" });
});

scene("in German", async ({ visit, token }) => {
  const id = await talk("Gerda Wieder");
  const page = await (await visit({ token, locale: "de-DE" })).newPage();
  await page.goto(`/inbox/${id}?status=resolved`);
  await page.getByRole("heading", { name: "Gerda Wieder" }).first().waitFor();
  await page.keyboard.press("e");
  await page.getByText("Gelöst · Gerda Wieder").waitFor();
  await page.keyboard.press("z");
  await page.getByText("Rückgängig gemacht: Gelöst · Gerda Wieder").waitFor();
  await becomes(id, {});
});
