// A list of ten thousand conversations draws what is to be seen, and no more.
import assert from "node:assert/strict";
import { openHouse, until } from "./start.mjs";

const { scene, api, desk } = await openHouse();
const many = 10_000;
const contacts = (await api.get("/v1/public/contacts?limit=100")).data;
const { id: productId } = await desk.post("/v1/dashboard/products", { name: "Best seller" });
await fill();

async function fill() {
  let made = 0;
  const worker = async () => {
    while (made < many) {
      const n = made++;
      await api.post("/v1/public/conversations", { contactId: contacts[n % contacts.length].id, productId });
    }
  };
  await Promise.all(Array.from({ length: 32 }, worker));
}

scene(`${many} conversations: scrolling draws few rows and comes to the end`, { timeout: 170_000 }, async ({ page }) => {
  await page.goto(`/inbox?status=open&productId=${productId}`);
  const list = page.getByRole("region", { name: "Conversations" }).getByRole("list");
  await list.getByRole("listitem").first().waitFor();
  let most = 0;
  let longest = 0;
  const seen = new Set();
  await page.evaluate(() => {
    window.long = 0;
    new PerformanceObserver((entries) => {
      for (const { duration } of entries.getEntries()) window.long = Math.max(window.long, duration);
    }).observe({ type: "longtask" });
  });
  await until(
    "the last of all",
    async () => {
      const now = await list.evaluate((element) => {
        const rows = [...element.querySelectorAll("[role=listitem]")];
        const scroller = element.parentElement;
        scroller.scrollTop = scroller.scrollHeight;
        return { drawn: rows.length, ids: rows.map((row) => row.querySelector("[data-row]")?.dataset.row), size: Number(rows.at(-1)?.getAttribute("aria-setsize")), last: Number(rows.at(-1)?.getAttribute("aria-posinset")) };
      });
      most = Math.max(most, now.drawn);
      for (const id of now.ids) seen.add(id);
      return now.size >= many && now.last === now.size;
    },
    140_000,
  );
  longest = await page.evaluate(() => window.long);
  assert.ok(most > 5 && most < 200, `${most} rows were drawn at once`);
  assert.ok(longest < 1000, `the page stood still for ${longest} ms`);
  await page.getByText("That is all.").waitFor();
  // At the end of all of them it is still live, and can be opened.
  await list.getByRole("link").last().click();
  await page.getByRole("textbox", { name: "Reply" }).waitFor();
  await list.evaluate((element) => (element.parentElement.scrollTop = 0));
  await until("the first row", async () => Number(await list.getByRole("listitem").first().getAttribute("aria-posinset")) === 1);
  const oldest = new URL(page.url()).pathname.split("/").at(-1);
  await api.post(`/v1/public/conversations/${oldest}/messages`, { content: "From the very bottom", role: "incoming" });
  await until("the last came to the top", async () => (await list.getByRole("listitem").first().getByRole("link").getAttribute("data-row")) === oldest);
  assert.ok((await list.getByRole("listitem").count()) < 200);
});
