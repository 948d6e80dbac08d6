// The requests of the page, and the data that it keeps.
import assert from "node:assert/strict";
import { openSuite, until } from "./start.mjs";

const { scene, api } = await openSuite();

async function talk(name, content) {
  const contact = await api.post("/v1/public/contacts", { name });
  const conversation = await api.post("/v1/public/conversations", { contactId: contact.id });
  await api.post(`/v1/public/conversations/${conversation.id}/messages`, { content, role: "incoming" });
  return conversation;
}

/** Records the page's requests from now on, except the stream, scripts and cached responses. */
async function listen(page) {
  const asked = [];
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  const urls = new Map();
  const kept = ({ requestId }) => {
    const at = asked.indexOf(urls.get(requestId));
    if (at >= 0) asked.splice(at, 1);
  };
  session.on("Network.requestWillBeSent", ({ requestId, request }) => {
    const { pathname } = new URL(request.url);
    if (pathname.endsWith("/dashboard/events") || pathname.startsWith("/assets/")) return;
    urls.set(requestId, `${request.method} ${pathname}`);
    asked.push(`${request.method} ${pathname}`);
  });
  session.on("Network.requestServedFromCache", kept);
  session.on("Network.responseReceived", ({ requestId, response }) => response.fromDiskCache && kept({ requestId }));
  return asked;
}

const rows = (page) => page.getByRole("list", { name: "All open" }).getByRole("listitem");

scene("a list includes its previews: one request for all rows", async ({ page }) => {
  await talk("Paula Preview", "Is the blue one back?");
  const asked = await listen(page);
  await page.goto("/inbox?status=open");
  await rows(page).first().getByText("Is the blue one back?").waitFor();
  await page.waitForTimeout(1500);
  const reads = asked.filter((request) => request.startsWith("GET /v1/public/conversations"));
  assert.deepEqual(reads, ["GET /v1/public/conversations"], "each row asked for its own preview");
});

scene("a preview follows new messages, without a request", async ({ page }) => {
  const { id } = await talk("Fay Follow", "First words");
  await page.goto("/inbox?status=open");
  const row = rows(page).first();
  await row.getByText("First words").waitFor();
  const asked = await listen(page);
  await api.post(`/v1/public/conversations/${id}/messages`, { content: "Second words", role: "incoming" });
  await row.getByText("Second words").waitFor();
  await api.post(`/v1/public/conversations/${id}/messages`, { content: "Only for us", isPrivate: true });
  await row.getByText("Only for us").waitFor();
  assert.deepEqual(
    asked.filter((request) => !/(?:\/|view-)counts$/.test(request)),
    [],
  );
});

scene("a conversation opens with at most ten requests, by mouse and by keyboard", async ({ page }) => {
  const names = ["Sia Six", "Rea Requests", "Mo Most"];
  for (const name of names) await talk(name, "One question");
  await page.goto("/inbox?status=open");
  await rows(page).first().getByText("One question").waitFor();
  // The first one also reads what the whole page shares.
  await rows(page)
    .getByRole("link", { name: /Mo Most/ })
    .click();
  await page.getByRole("article").getByText("One question").waitFor();
  await page.getByText("This is the only one.").waitFor();
  // The new conversations let the counts of the saved views be read, at most once in five seconds.
  await page.waitForTimeout(6000);
  const asked = await listen(page);
  const steps = [
    () =>
      rows(page)
        .getByRole("link", { name: /Rea Requests/ })
        .click(),
    () => page.keyboard.press("j"),
  ];
  for (const [index, step] of steps.entries()) {
    asked.length = 0;
    await step();
    await page
      .getByRole("heading", { name: ["Rea Requests", "Sia Six"][index] })
      .first()
      .waitFor();
    await page.getByText("This is the only one.").waitFor();
    // The articles that fit, the read mark and the counts follow after a pause.
    await page.waitForTimeout(3500);
    // Who follows is read only after four seconds of rest.
    const opening = asked.filter((request) => !request.endsWith("/followers"));
    assert.ok(opening.length > 0 && opening.length <= 10, `step ${index} asked for ${opening.length}:\n${opening.join("\n")}`);
  }
});

scene("after hours of going through conversations only the last ones are kept", async ({ page, context }) => {
  // The data is at its largest just before unused conversations are dropped, which 40 would not reach.
  const [some, count] = [60, 120];
  const ids = [];
  for (let n = 0; n < count; n++) ids.push((await talk(`Visitor ${n}`, `Question ${n} ${"long ".repeat(9600)}`)).id);
  await page.goto("/inbox?status=open");
  await rows(page)
    .first()
    .getByText(`Question ${count - 1} `)
    .waitFor();
  const session = await context.newCDPSession(page);
  const heap = async () => {
    for (let turn = 0; turn < 2; turn++) await session.send("HeapProfiler.collectGarbage");
    return (await session.send("Runtime.getHeapUsage")).usedSize / 1e6;
  };
  // The rows of the list are held; with all of them loaded, only opened conversations can add data.
  const scroller = page.getByRole("list", { name: "All open" }).locator("..");
  const height = await rows(page)
    .first()
    .evaluate((row) => row.offsetHeight);
  await until("all rows", () =>
    scroller.evaluate((box, least) => {
      box.scrollTo(0, box.scrollHeight);
      return box.scrollHeight >= least;
    }, count * height),
  );
  await scroller.evaluate((box) => box.scrollTo(0, 0));
  const sizes = [];
  for (let n = count - 1; n >= 0; n--) {
    await page.keyboard.press("j");
    if (n === count - 1) await page.keyboard.press("Enter");
    await page
      .getByRole("heading", { name: `Visitor ${n}`, exact: true })
      .first()
      .waitFor();
    await page.getByRole("article").getByText(`Question ${n} `).waitFor();
    if (n === count - some || n === 0) sizes.push(await heap());
  }
  console.log(`heap after ${some} and after ${count}: ${sizes.map((size) => size.toFixed(1)).join(", ")} MB`);
  assert.ok(sizes[1] - sizes[0] < 1.5, `the page grew from ${sizes[0]} to ${sizes[1]} MB`);
  // The first one is no longer kept, so it is read again.
  const asked = await listen(page);
  await page.getByRole("list", { name: "All open" }).evaluate((list) => list.parentElement.scrollTo(0, 0));
  await rows(page)
    .getByRole("link", { name: new RegExp(`Visitor ${count - 1}\\b`) })
    .click();
  await page
    .getByRole("article")
    .getByText(`Question ${count - 1} `)
    .waitFor();
  await until("the thread", () => asked.some((request) => request.endsWith(ids.at(-1))));
});
