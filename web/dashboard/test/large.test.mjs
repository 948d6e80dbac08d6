// A list of ten thousand conversations draws what is to be seen, and no more.
import assert from "node:assert/strict";
import { openHouse, until } from "./start.mjs";

const { scene, api, desk } = await openHouse();
const many = 10_000;
const contacts = (await api.get("/v1/public/contacts?limit=100")).data;
const few = await fill("Slow seller", 200);
const all = await fill("Best seller", many);

/** Makes so many conversations about a new product, and answers its list. */
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

/** Scrolls to the end of the list; the answer is the list and how many rows were drawn at once. */
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
  ); // a hundred pages, one after the other
  return { list, most };
}

scene(`${many} conversations: scrolling draws few rows, is smooth and comes to the end`, async ({ page }) => {
  const before = await workOfScrolling(page, (await toTheEnd(page, few)).list);
  const { list, most } = await toTheEnd(page, all);
  assert.ok(most > 5 && most < 200, `${most} rows were drawn at once`);
  const work = await workOfScrolling(page, list);
  console.log(`ms of work for a step of half a window: ${work.toFixed(1)} in ${many}, ${before.toFixed(1)} in ${few.count}`);
  assert.ok(work < 33, `${work} ms for a step, a frame on a slow machine has 33`);
  assert.ok(work < 2 * before, `${work} ms for a step among ${many}, ${before} among ${few.count}`);
  await page.getByText("End of the list").waitFor();
  // At the end of all of them it is still live, and can be opened.
  const beforeLast = await list.getByRole("link").nth(-2).getAttribute("data-row");
  await list.getByRole("link").last().click();
  await page.getByRole("textbox", { name: "Reply" }).waitFor();
  await api.post(`/v1/public/conversations/${beforeLast}/messages`, { content: "From the very bottom", role: "incoming" });
  await page.getByRole("button", { name: "1 new" }).click();
  await until("the one that wrote came to the top", async () => (await list.getByRole("link").first().getAttribute("data-row")) === beforeLast);
  assert.ok((await list.getByRole("listitem").count()) < 200);
});

/**
 * Scrolls step by step, a frame for each, and answers the ms of work of a step: processor time of the page's main
 * thread, of which a quarter of the steps needed no more. All do the same; what else the machine does adds to some.
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
