// A sent message is never lost, and never sent twice, wherever the connection
// to the server breaks. Each scene counts the messages on the server.
import assert from "node:assert/strict";
import { breakWay, empty, lost, open, press, reply, row, sent, talk as talkOf, unsent } from "./sending.mjs";
import { openSuite, until } from "./start.mjs";

const { scene, api, server } = await openSuite();
const talk = (name) => talkOf(api, name);

for (const [how, send] of Object.entries(press)) {
  scene(`the answer is lost, by ${how}: the event tells that it is there, once`, { allow: lost }, async ({ page, context }) => {
    const talked = await talk(`Answered ${how}`);
    await open(page, talked);
    const way = await breakWay(context, "after");
    await send(page, "here it is");
    await sent(page, "here it is").waitFor();
    await until("a second try", () => way.tries > 1);
    await unsent(page).waitFor({ state: "detached" });
    await row(page, talked).getByText("Not sent").waitFor({ state: "detached" });
    await page.reload();
    way.fault = "";
    await sent(page, "here it is").waitFor();
    await empty(page);
    assert.equal(await talked.count("here it is"), 1);
  });
}

for (const fault of ["before", 500, 503]) {
  for (const [how, send] of Object.entries(press)) {
    scene(`${fault}, by ${how}: the row says so, and it goes by itself, once`, { allow: lost }, async ({ page, context }) => {
      const talked = await talk(`Row ${how} ${fault}`);
      await open(page, talked);
      const way = await breakWay(context, fault);
      await send(page, "here it is");
      await unsent(page).getByText("here it is").waitFor();
      await row(page, talked).getByText("Not sent").waitFor();
      await until("a second try", () => way.tries > 1);
      way.fault = "";
      await sent(page, "here it is").waitFor();
      await unsent(page).waitFor({ state: "detached" });
      await row(page, talked).getByText("Not sent").waitFor({ state: "detached" });
      assert.equal(await sent(page, "here it is").count(), 1);
      assert.equal(await talked.count("here it is"), 1);
    });
  }
}

for (const fault of ["before", 503]) {
  scene(`${fault}, and one moves on: a notice leads back`, { allow: lost }, async ({ page, context }) => {
    const [first, other] = [await talk(`Moved ${fault}`), await talk(`Next ${fault}`)];
    await open(page, first);
    const way = await breakWay(context, fault);
    await press.keyboard(page, "before I go");
    await row(page, other).click();
    await page.getByText(`a question of ${other.name}`).last().waitFor();
    const notice = page.getByRole("region", { name: "Notifications" });
    await notice.getByText(`Not sent to ${first.name}`).waitFor();
    await row(page, first).getByText("Not sent").waitFor();
    await page.getByRole("link", { name: "1 not sent" }).waitFor();
    await notice.getByRole("button", { name: "Show" }).click();
    await unsent(page).getByText("before I go").waitFor();
    way.fault = "";
    await sent(page, "before I go").waitFor();
    assert.equal(await first.count("before I go"), 1);
  });
}

scene("send and resolve while the server is busy: the conversation is resolved after its answer", { allow: lost }, async ({ page, context }) => {
  const talked = await talk("Resolved Rae");
  await open(page, talked);
  const way = await breakWay(context, 503);
  await reply(page).fill("all done");
  await reply(page).press("Control+Shift+Enter");
  await until("two tries", () => way.tries > 1);
  assert.equal((await api.get(talked.path)).status, "open");
  way.fault = "";
  await until("it is resolved", async () => (await api.get(talked.path)).status === "resolved");
  assert.equal(await talked.count("all done"), 1);
  await empty(page);
});

scene("answers to one conversation keep their order when the network is lost", { allow: lost }, async ({ page, context }) => {
  const talked = await talk("Ordered Orla");
  await open(page, talked);
  await context.setOffline(true);
  for (const text of ["one", "two", "three"]) await press.keyboard(page, text);
  await until("three wait", async () => (await page.getByRole("article", { name: /^Message (that was not sent|on its way)/ }).count()) === 3);
  await context.setOffline(false);
  await sent(page, "three").waitFor();
  const { data } = (await api.get(talked.path)).messages;
  assert.deepEqual(
    data.slice(1).map(({ content }) => content),
    ["one", "two", "three"],
  );
});

scene("the server is killed during a message and started again: the message is there once", { allow: lost }, async ({ page }) => {
  const talked = await talk("Crashed Carl");
  await open(page, talked);
  await server.crash();
  await press.keyboard(page, "through the crash");
  await unsent(page).waitFor();
  await server.start();
  await sent(page, "through the crash").waitFor();
  assert.equal(await talked.count("through the crash"), 1);
});

scene("a file is sent with the message that waited for it", { allow: lost }, async ({ page, context }) => {
  const talked = await talk("Filed Fay");
  await open(page, talked);
  const way = await breakWay(context, 503);
  await page.locator("input[type=file]").setInputFiles({ name: "plan.txt", mimeType: "text/plain", buffer: Buffer.from("the plan") });
  await page.getByText("plan.txt").waitFor();
  await until("the upload", () => page.getByRole("button", { name: "Send", exact: true }).isEnabled());
  await press.mouse(page, "with the plan");
  await unsent(page).getByText("plan.txt").waitFor();
  await page.reload();
  way.fault = "";
  await sent(page, "with the plan").waitFor();
  const { data } = (await api.get(talked.path)).messages;
  assert.deepEqual(
    data.at(-1).attachments.map(({ fileName }) => fileName),
    ["plan.txt"],
  );
});
