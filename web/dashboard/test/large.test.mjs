// A list of ten thousand conversations renders only the visible rows.
import assert from "node:assert/strict";
import { openSuite, until } from "./start.mjs";

const { scene, api, desk } = await openSuite();
const many = 10_000;
const contacts = (await api.get("/v1/public/contacts?limit=100")).data;
const few = await fill("Slow seller", 200);
const all = await fill("Best seller", many);

/** Creates this many conversations about a new product, and returns its list. */
async function fill(name, count) {
  const { id: productId } = await desk.post("/v1/dashboard/products", { name });
  let made = 0;
  const worker = async () => {
    while (made < count) {
      const n = made++;
      await api.post("/v1/public/conversations", { contactId: contacts[n % contacts.length].id, productId });
    }
  };
  await Promise.all(Array.from({ length: 32 }, worker));
  return { path: `/inbox?status=open&productId=${productId}`, count };
}

/** Scrolls to the end of the list. Returns the list and how many rows were rendered at once. */
async function toTheEnd(page, { path, count }) {
  await page.goto(path);
  const list = page.getByRole("region", { name: "Conversations" }).getByRole("list");
  await list.getByRole("listitem").first().waitFor();
  let most = 0;
  await until(
    `the last of ${count}`,
    async () => {
      const now = await list.evaluate((element) => {
        const rows = element.querySelectorAll("[role=listitem]");
        const scroller = element.parentElement;
        scroller.scrollTop = scroller.scrollHeight;
        const last = rows[rows.length - 1];
        return { drawn: rows.length, size: Number(last?.getAttribute("aria-setsize")), last: Number(last?.getAttribute("aria-posinset")) };
      });
      most = Math.max(most, now.drawn);
      return now.size >= count && now.last === now.size;
    },
    300_000,
  ); // a hundred pages, one after another
  return { list, most };
}

scene(`${many} conversations: scrolling renders few rows, is smooth and reaches the end`, async ({ page }) => {
  const before = await workOfScrolling(page, (await toTheEnd(page, few)).list);
  const { list, most } = await toTheEnd(page, all);
  assert.ok(most > 5 && most < 200, `${most} rows were drawn at once`);
  const work = await workOfScrolling(page, list);
  console.log(`ms of work for a step of half a window: ${work.toFixed(1)} in ${many}, ${before.toFixed(1)} in ${few.count}`);
  assert.ok(work < 2 * before, `${work} ms for a step among ${many}, ${before} among ${few.count}`);
  await page.getByText("End of the list").waitFor();
  // At the end the list is still live, and rows can be opened.
  const beforeLast = await list.getByRole("link").nth(-2).getAttribute("data-row");
  await list.getByRole("link").last().click();
  await page.getByRole("textbox", { name: "Reply" }).waitFor();
  await api.post(`/v1/public/conversations/${beforeLast}/messages`, { content: "From the very bottom", role: "incoming" });
  await page.getByRole("button", { name: "1 new" }).click();
  await until("the one that wrote came to the top", async () => (await list.getByRole("link").first().getAttribute("data-row")) === beforeLast);
  assert.ok((await list.getByRole("listitem").count()) < 200);
});

/**
 * Scrolls step by step, a frame for each, and returns the processor time of a step on the page's main thread, in ms:
 * the lower quartile. All steps do the same; other work of the machine adds to some.
 */
async function workOfScrolling(page, list) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
  const worked = async () => (await devtools.send("Performance.getMetrics")).metrics.find(({ name }) => name === "TaskDuration").value * 1000;
  const steps = [];
  for (let n = 0; n < 80; n++) {
    const before = await worked();
    await list.evaluate(
      (element, down) =>
        new Promise((drawn) => {
          element.parentElement.scrollTop += (down ? 0.5 : -0.5) * element.parentElement.clientHeight;
          requestAnimationFrame(() => requestAnimationFrame(drawn));
        }),
      n >= 40,
    );
    steps.push((await worked()) - before);
  }
  await devtools.detach();
  return steps.sort((a, b) => a - b)[20];
}
