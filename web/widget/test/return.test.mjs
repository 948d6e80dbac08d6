// The pages to which the links of mails lead, when they lead nowhere any more.
import assert from "node:assert/strict";
import { openSuite } from "../../dashboard/test/start.mjs";

const { scene, api } = await openSuite();
const inbox = (await api.get("/v1/public/inboxes")).data.find(({ channelType }) => channelType === "web").id;
const narrow = { token: "", viewport: { width: 320, height: 640 } };
const unknown = "A".repeat(43);

scene("a link that has ended says so, and begins nothing", { ...narrow, allow: [/404/] }, async ({ page }) => {
  const answer = await page.goto(`/c/cl_${unknown}`);
  assert.equal(answer.status(), 404);
  await page.getByRole("heading", { name: "This link is not valid." }).waitFor();
  assert.equal(await page.getByRole("button").count(), 0);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing is cut off");
});

scene("a session of a link that has ended shows no chat, and its token leaves the address", { ...narrow, allow: [/40[14]/] }, async ({ page }) => {
  await page.goto(`/widget/frame?inbox=${inbox}&conversation=${inbox}#cr_${unknown}`);
  await page.getByText("This chat is not available here.").waitFor();
  assert.equal(new URL(page.url()).hash, "");
  assert.equal(await page.getByRole("textbox").count(), 0, "nobody writes into a new conversation");
  await page.reload();
  await page.getByText("This chat is not available here.").waitFor();
});
