// Replies that are held for a few seconds, so that their author can take them back.
import { expect, test } from "vitest";
import { Browser, Desk, written } from "./desk.fixture";
import { heldFor } from "./item";

const hold = 5000;

function begin() {
  const desk = new Desk();
  const browser = new Browser(desk);
  const { id } = desk.says({ content: "question" });
  return { desk, browser, seen: id, ...browser.tab() };
}

test("a held reply goes when its time is over, once, whatever wakes the outbox before", async () => {
  const { desk, browser, seen, outbox } = begin();
  outbox.add(written("answer", seen, { holdFor: hold }));
  const other = browser.tab();
  for (const wake of [() => outbox.wake(), () => other.outbox.wake()]) {
    wake();
    await browser.pass(2000);
    expect(desk.posts).toBe(0);
  }
  await browser.pass(hold);
  expect(desk.count("answer")).toBe(1);
  expect(outbox.items.get()).toEqual([]);
});

test("a held reply that is taken back never goes, and what was written after it does", async () => {
  const { desk, browser, seen, outbox } = begin();
  const { key } = outbox.add(written("regretted", seen, { holdFor: hold, after: "resolve" }));
  outbox.add(written("better", seen, { holdFor: hold }));
  await browser.pass(1000);
  expect((await outbox.take(key))?.content).toBe("regretted");
  await browser.pass(600_000);
  expect(desk.messages.map(({ content }) => content)).toEqual(["question", "better"]);
  expect(desk.status).toBe("open");
  expect(await outbox.take(key)).toBeUndefined();
});

test("its author sends it at once, and so do signing out and the other tabs of a closed page", async () => {
  const { desk, browser, seen, outbox, close } = begin();
  const first = outbox.add(written("first", seen, { holdFor: hold }));
  outbox.release(first.key);
  await browser.settle();
  expect(desk.count("first")).toBe(1);
  outbox.add(written("second", seen, { holdFor: hold }));
  const flushed = outbox.flush(1000);
  await browser.settle();
  expect(desk.count("second")).toBe(1);
  expect(await flushed).toBe(true);
  outbox.add(written("third", seen, { holdFor: hold }));
  close();
  const other = browser.tab();
  await browser.pass(hold);
  expect(desk.count("third")).toBe(1);
  expect(other.outbox.items.get()).toEqual([]);
});

test("a held reply asks like any other when a colleague was faster", async () => {
  const { desk, browser, seen, outbox } = begin();
  outbox.add(written("answer", seen, { holdFor: hold }));
  desk.says({ content: "mine", senderType: "agent", senderId: "usr_x", messageType: "outgoing" });
  await browser.pass(hold);
  expect(desk.count("answer")).toBe(0);
  expect(outbox.items.get()[0]?.stand.is).toBe("asks");
});

test("a message with the same words from elsewhere is not taken for a held one", async () => {
  const { desk, browser, seen, outbox } = begin();
  outbox.add(written("hello", seen, { holdFor: hold }));
  outbox.saw(desk.says({ content: "hello", senderType: "agent", senderId: "usr_me", messageType: "outgoing" }));
  await browser.pass(1000);
  expect(outbox.items.get()[0]?.posted).toBe("");
});

test("a clock that was set back does not hold a reply longer than a minute", async () => {
  const { desk, browser, seen, outbox } = begin();
  const item = outbox.add(written("answer", seen, { holdFor: hold }));
  browser.now -= 3_600_000;
  expect(heldFor(item, browser.now)).toBe(0);
  outbox.wake();
  await browser.settle();
  expect(desk.count("answer")).toBe(1);
});
