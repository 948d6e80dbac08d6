import { describe, expect, test } from "vitest";
import { ApiError } from "../api/client";
import type { Message } from "../api/types";
import { Browser, Desk, written, type Fault } from "./desk.fixture";
import { day, faultText, notShown, seenBy, standingOf, verdictOf, type Question } from "./item";

const xenia = { senderType: "agent", senderId: "usr_x", messageType: "outgoing", sender: { name: "Xenia", image: "" } } as const;

function begin(...faults: Fault[]) {
  const desk = new Desk();
  const browser = new Browser(desk);
  const first = desk.says({ content: "question" });
  desk.faults = faults;
  return { desk, browser, first, ...browser.tab() };
}

const question = (of: { outbox: { items: { get: () => readonly { stand: { is: string; question?: Question } }[] } } }) => of.outbox.items.get()[0]?.stand.question;

describe("whatever fails, the message arrives once", () => {
  const ways: Record<string, Fault[]> = {
    nothing: [],
    "lost before the server": ["before"],
    "lost behind the server": ["after"],
    "lost both ways, in turns": ["after", "before", "after", "after", "before"],
    "500": [500],
    "503, then the answer is lost": [503, "after"],
    limited: [429, 429],
  };
  for (const [name, faults] of Object.entries(ways)) {
    test(name, async () => {
      const { desk, browser, first, outbox, sent } = begin(...faults);
      outbox.add(written("answer", first.id));
      await browser.pass(600_000);
      expect(desk.count("answer")).toBe(1);
      expect(sent).toEqual(["answer"]);
      expect(outbox.items.get()).toEqual([]);
    });
    test(`${name}, and the tab is closed after each step`, async () => {
      for (let steps = 0; steps <= faults.length; steps++) {
        const { desk, browser, first, outbox, close } = begin(...faults.slice(0, steps));
        outbox.add(written("answer", first.id));
        await browser.settle();
        close();
        desk.faults = faults.slice(steps);
        browser.tab();
        await browser.pass(600_000);
        expect(desk.count("answer"), `closed after ${steps}`).toBe(1);
      }
    });
  }

  test("two tabs send it at once, and both take a retry for their own", async () => {
    const { desk, browser, first, outbox } = begin("after", "before", "after");
    const other = browser.tab();
    outbox.add(written("answer", first.id));
    await browser.settle();
    outbox.wake();
    other.outbox.wake();
    await browser.pass(600_000);
    expect(desk.count("answer")).toBe(1);
    expect(other.outbox.items.get()).toEqual([]);
  });

  test("two tabs without locks send it at the same moment", async () => {
    for (const faults of [[], ["after"], ["before", "after"], [503, "after", "before"]] as Fault[][]) {
      const desk = new Desk();
      const browser = new Browser(desk, false);
      const tabs = [browser.tab(), browser.tab()];
      desk.faults = faults;
      tabs[0]?.outbox.add(written("answer"));
      for (const { outbox } of tabs) outbox.wake();
      await browser.pass(600_000);
      expect(desk.posts).toBeGreaterThan(1);
      expect(desk.count("answer")).toBe(1);
      for (const { outbox } of tabs) expect(outbox.items.get()).toEqual([]);
    }
  });

  test("the customer writes between a lost answer and the retry", async () => {
    const { desk, browser, first, outbox } = begin("after");
    outbox.add(written("answer", first.id));
    await browser.settle();
    desk.says({ content: "and another thing" });
    await browser.pass(600_000);
    expect(desk.count("answer")).toBe(1);
    expect(outbox.items.get()).toEqual([]);
  });

  test("its key is known with another body: it had arrived", async () => {
    const { desk, browser, first, outbox, sent } = begin();
    const item = outbox.add(written("answer", first.id));
    await browser.settle();
    outbox.add(written("x")); // with another key
    await desk.post({ ...item, seen: "other" }).then(
      () => expect.unreachable(),
      (error: unknown) => expect(verdictOf(error)).toBe("delivered"),
    );
    await browser.settle();
    expect(sent).toEqual(["answer", "x"]);
  });
});

test("the end of the session stops the attempts, and the same member's next page continues", async () => {
  const { desk, browser, first, outbox, close } = begin(401);
  outbox.add(written("answer", first.id));
  await browser.pass(3600_000);
  expect(desk.posts).toBe(1);
  expect(outbox.items.get()[0]?.stand).toEqual({ is: "late", fault: "You are signed out." });
  close();
  const again = browser.tab();
  await browser.pass(60_000);
  expect(desk.count("answer")).toBe(1);
  expect(again.outbox.items.get()).toEqual([]);
});

test("another member is signed in: nothing is sent in their name, and the page is told", async () => {
  const { desk, browser, first, outbox, replaced, close } = begin();
  desk.signedIn = "usr_bo";
  outbox.add(written("answer", first.id));
  outbox.add(written("note", first.id, { isPrivate: true }));
  await browser.pass(3600_000);
  expect([desk.posts, desk.messages.length, replaced()]).toEqual([1, 1, 1]);
  expect(outbox.items.get()[0]?.stand).toEqual({ is: "late", fault: "Another member is signed in here." });
  close();
  desk.signedIn = "usr_me";
  browser.tab();
  await browser.pass(60_000);
  expect([desk.count("answer"), desk.count("note")]).toEqual([1, 1]);
});

test("an item that only this page has holds the page, whatever other tabs are open", async () => {
  const { browser, first, outbox } = begin(...Array.from({ length: 50 }, () => "before" as const));
  outbox.add(written("answer", first.id));
  await browser.settle();
  expect([outbox.mayLeave(true), outbox.mayLeave(false)]).toEqual([true, false]);
  browser.storage.full = true;
  const [only] = [outbox.add(written("second", first.id))];
  expect([outbox.mayLeave(true), outbox.mayLeave(false)]).toEqual([false, false]);
  await outbox.take(only.key);
  expect(outbox.mayLeave(true)).toBe(true);
});

test("a discarded item can be restored as it was, and is sent once", async () => {
  const { desk, browser, first, outbox } = begin("before");
  const { key } = outbox.add(written("answer", first.id));
  await browser.settle();
  const taken = await outbox.take(key);
  await browser.pass(3600_000);
  expect(desk.count("answer")).toBe(0);
  if (taken) outbox.restore(taken);
  await browser.pass(60_000);
  expect([desk.count("answer"), outbox.items.get().length]).toEqual([1, 0]);
});

test("an item that is dropped during its request is not stored again, and is not sent", async () => {
  const { desk, browser, first, close } = begin();
  close();
  desk.resolve({ id: "usr_x", name: "Xenia" });
  const { outbox } = browser.tab({ setStatus: async () => outbox.clear() });
  const { key } = outbox.add(written("answer", first.id));
  await browser.settle();
  outbox.agree(key, true);
  await browser.settle();
  expect([desk.count("answer"), outbox.items.get().length]).toEqual([0, 0]);
});

test("a clock that is set back does not delay an item by as much", async () => {
  const { desk, browser, first, outbox, close } = begin("before");
  outbox.add(written("answer", first.id));
  await browser.settle();
  close();
  browser.now -= 90 * day;
  browser.tab();
  await browser.pass(1_200_000);
  expect(desk.count("answer")).toBe(1);
});

test("an item is taken back once it is stored elsewhere", async () => {
  const { outbox, first } = begin(413);
  const { key } = outbox.add(written("answer", first.id));
  expect(await outbox.take(key, () => false)).toBeUndefined();
  expect(outbox.items.get()).toHaveLength(1);
  expect((await outbox.take(key, ({ content }) => content === "answer"))?.key).toBe(key);
  expect(outbox.items.get()).toEqual([]);
});

test("each conversation keeps its order, and delays no other", async () => {
  const { desk, browser, first, outbox } = begin("before");
  outbox.add(written("one", first.id));
  outbox.add(written("two", first.id));
  outbox.add(written("elsewhere", "", { conversationId: "d" }));
  outbox.add(written("three", first.id));
  await browser.settle();
  expect(desk.messages.map(({ content }) => content)).toEqual(["question", "elsewhere"]);
  await browser.pass(60_000);
  expect(desk.messages.map(({ content }) => content).filter((content) => content !== "elsewhere")).toEqual(["question", "one", "two", "three"]);
});

test("an item that the server refuses waits for its author, and a note overtakes it", async () => {
  const { desk, browser, first, outbox } = begin(413);
  outbox.add(written("too long", first.id));
  outbox.add(written("note", first.id, { isPrivate: true }));
  outbox.add(written("behind", first.id));
  await browser.pass(3600_000);
  expect(desk.messages.map(({ content }) => content)).toEqual(["question", "note"]);
  const [refused] = outbox.items.get();
  expect(refused?.stand.is).toBe("refused");
  expect((await outbox.take(refused?.key ?? ""))?.content).toBe("too long");
  await browser.pass(1000);
  expect(desk.messages.map(({ content }) => content)).toEqual(["question", "note", "behind"]);
});

describe("what happened in the meantime", () => {
  test("somebody answered: it asks once, then is sent", async () => {
    const { desk, browser, first, outbox } = begin();
    desk.says({ content: "mine first", ...xenia });
    const item = outbox.add(written("answer", first.id));
    await browser.pass(3600_000);
    expect(desk.count("answer")).toBe(0);
    expect(question({ outbox })?.answers).toEqual([{ id: "m0002", name: "Xenia", text: "mine first" }]);
    outbox.agree(item.key);
    await browser.settle();
    expect(desk.count("answer")).toBe(1);
  });

  test("what happens after the author agreed asks again", async () => {
    const { desk, browser, first, outbox } = begin();
    desk.says({ ...xenia });
    const item = outbox.add(written("answer", first.id));
    await browser.settle();
    desk.says({ content: "and more", ...xenia });
    outbox.agree(item.key);
    await browser.settle();
    expect(desk.count("answer")).toBe(0);
    expect(question({ outbox })?.answers.map(({ text }) => text)).toEqual(["and more"]);
  });

  test("the customer, a note, the author and the system do not stop it", async () => {
    const { desk, browser, first, outbox } = begin();
    desk.says({ content: "customer" });
    desk.says({ ...xenia, isPrivate: true });
    desk.says({ ...xenia, senderId: "usr_me" });
    desk.says({ ...xenia, senderType: "system", senderId: "" });
    outbox.add(written("answer", first.id));
    await browser.settle();
    expect(desk.count("answer")).toBe(1);
  });

  test("an answer of its author from another device stops it, even if it was retried by hand", async () => {
    for (const byHand of [false, true]) {
      const { desk, browser, first, outbox } = begin("before");
      const item = outbox.add(written("answer", first.id));
      await browser.settle();
      desk.says({ ...xenia, content: "from the phone", senderId: "usr_me" });
      desk.resolve({ id: "usr_me", name: "Me" });
      if (byHand) outbox.retry(item.key);
      await browser.pass(600_000);
      expect(desk.count("answer")).toBe(0);
      expect(question({ outbox })).toMatchObject({ resolved: true, resolvedBy: "You", answers: [{ name: "You", text: "from the phone" }] });
    }
  });

  test("a page that opens late does not send past such an answer either", async () => {
    const { desk, browser, first, outbox, close } = begin();
    close();
    outbox.add(written("answer", first.id));
    desk.says({ ...xenia, content: "from the phone", senderId: "usr_me" });
    browser.now += 3600_000;
    const again = browser.tab();
    await browser.pass(600_000);
    expect(desk.count("answer")).toBe(0);
    expect(question(again)?.answers).toHaveLength(1);
  });

  test("queued items are sent one by one, though each is its author's answer for the next", async () => {
    const { desk, browser, first, outbox } = begin(...Array.from({ length: 20 }, () => "before" as const));
    for (const text of ["one", "two", "three"]) outbox.add(written(text, first.id));
    await browser.pass(3600_000);
    expect(desk.messages.map(({ content }) => content)).toEqual(["question", "one", "two", "three"]);
  });

  test("the automated agent's answer stops it", async () => {
    const { desk, browser, first, outbox } = begin();
    desk.says({ ...xenia, senderType: "bot", senderId: "bot", sender: { name: "", image: "" } });
    outbox.add(written("answer", first.id));
    await browser.settle();
    expect(question({ outbox })?.answers[0]?.name).toBe("The automated agent");
  });

  test("nothing stops a private note", async () => {
    const { desk, browser, first, outbox } = begin();
    desk.says({ ...xenia });
    desk.resolve({ id: "usr_x", name: "Xenia" });
    outbox.add(written("note", first.id, { isPrivate: true }));
    await browser.settle();
    expect(desk.count("note")).toBe(1);
  });

  test("somebody resolved: it asks, and reopens before it is sent", async () => {
    const { desk, browser, first, outbox } = begin();
    desk.resolve({ id: "usr_x", name: "Xenia" });
    const item = outbox.add(written("answer", first.id));
    await browser.settle();
    expect(question({ outbox })).toMatchObject({ resolved: true, resolvedBy: "Xenia", answers: [] });
    outbox.agree(item.key, true);
    await browser.settle();
    expect([desk.count("answer"), desk.status]).toEqual([1, "open"]);
  });

  test("or it is sent and the conversation stays resolved", async () => {
    const { desk, browser, first, outbox } = begin();
    desk.resolve({ id: "usr_x", name: "Xenia" });
    const item = outbox.add(written("answer", first.id));
    await browser.settle();
    outbox.agree(item.key);
    await browser.settle();
    expect([desk.count("answer"), desk.status]).toEqual([1, "resolved"]);
  });

  test("sending and resolving at once asks nothing; writing to a conversation that was resolved before does", async () => {
    const { desk, browser, first, outbox } = begin();
    desk.resolve({ id: "usr_me", name: "Me" });
    outbox.add(written("answer", first.id));
    await browser.settle();
    expect([desk.count("answer"), desk.status]).toEqual([1, "resolved"]);
    outbox.add(written("afterthought", "m0002", { knewResolved: true }));
    await browser.settle();
    expect(desk.count("afterthought")).toBe(0);
    expect(question({ outbox })?.resolved).toBe(true);
  });

  test("the read of the conversation fails, too", async () => {
    const { desk, browser, first, outbox } = begin();
    desk.says({ ...xenia });
    outbox.add(written("answer", first.id));
    desk.faults = ["before"];
    const posts = desk.posts;
    await browser.pass(600_000);
    expect(desk.posts).toBeGreaterThan(posts);
    expect(question({ outbox })?.answers).toHaveLength(1);
  });
});

describe("send and resolve", () => {
  test("resolves after the answer, also if that is lost on the way", async () => {
    for (const faults of [[], ["after"], ["before"], [503, "after"]] as Fault[][]) {
      const { desk, browser, first, outbox, sent } = begin(...faults);
      outbox.add(written("answer", first.id, { after: "resolve" }));
      await browser.pass(600_000);
      expect([desk.count("answer"), desk.status, sent.length, outbox.items.get().length]).toEqual([1, "resolved", 1, 0]);
    }
  });

  test("but not if the customer has written in the meantime", async () => {
    const { desk, browser, first, outbox } = begin("before");
    outbox.add(written("answer", first.id, { after: "resolve" }));
    await browser.settle();
    desk.says({ content: "wait!" });
    await browser.pass(600_000);
    expect([desk.count("answer"), desk.status]).toEqual([1, "open"]);
  });

  test("nor if that happened during the request, even if the read after it fails", async () => {
    for (const faults of [[], [503]] as Fault[][]) {
      const { desk, browser, first, close } = begin();
      close();
      let resolved = 0;
      const { outbox } = browser.tab({
        setStatus: async (_, status) => {
          if (status === "resolved" && resolved++ === 0) {
            desk.says({ content: "wait!" });
            desk.faults = faults;
          }
          desk.status = status;
        },
      });
      outbox.add(written("answer", first.id, { after: "resolve" }));
      await browser.pass(600_000);
      expect([desk.count("answer"), desk.status, resolved, outbox.items.get().length]).toEqual([1, "open", 1, 0]);
    }
  });

  test("nor if that happened between the answer and the resolving", async () => {
    const { desk, browser, first, outbox } = begin();
    const slow = browser.tab({
      post: async (item) => {
        const made = await desk.post(item);
        desk.says({ content: "wait!" });
        return made;
      },
    });
    outbox.add(written("one", first.id)); // carried by the first tab
    await browser.settle();
    slow.outbox.add(written("answer", "m0002", { after: "resolve" }));
    await browser.settle();
    expect([desk.count("answer"), desk.status]).toEqual([1, "open"]);
  });
});

describe("after a day", () => {
  const offline: Fault[] = Array.from({ length: 5000 }, () => "before" as const);

  test("it asks, and is sent when its author agrees", async () => {
    const { desk, browser, first, outbox } = begin(...offline);
    const item = outbox.add(written("answer", first.id));
    await browser.pass(day + 120_000);
    desk.faults = [];
    outbox.wake();
    await browser.pass(120_000);
    expect(desk.count("answer")).toBe(0);
    expect(question({ outbox })?.old).toBe(true);
    outbox.agree(item.key);
    await browser.settle();
    expect(desk.count("answer")).toBe(1);
  });

  test("it does not ask about an item that had arrived and whose answer was lost", async () => {
    const { desk, browser, first, outbox, close } = begin("after");
    outbox.add(written("answer", first.id));
    await browser.settle();
    close();
    browser.now += day + 60_000;
    const again = browser.tab();
    await browser.settle();
    expect(desk.count("answer")).toBe(1);
    expect(again.outbox.items.get()).toEqual([]);
  });
});

test("signing out sends what it can, and drops the rest if confirmed", async () => {
  const { desk, browser, first, outbox } = begin("before");
  outbox.add(written("answer", first.id));
  await browser.settle();
  const sent = outbox.flush(5000);
  await browser.settle();
  expect(await sent).toBe(true);
  desk.faults = [503];
  outbox.add(written("another", "m0002"));
  await browser.settle();
  desk.faults = [503];
  const left = outbox.flush(5000);
  await browser.settle();
  expect(await left).toBe(false);
  outbox.clear();
  await browser.pass(60_000);
  expect([desk.count("another"), outbox.items.get().length]).toEqual([0, 0]);
});

test("the event of a message removes its item before the answer arrives, each only once", () => {
  const { desk, outbox, close } = begin();
  close();
  outbox.add(written("yes"));
  outbox.add(written("yes"));
  const items = [...outbox.items.get()];
  const own = desk.says({ content: "yes", senderId: "usr_me", messageType: "outgoing" });
  expect(notShown(items, [own], "usr_me")).toHaveLength(1);
  expect(notShown(items, [{ ...own, content: "no" }], "usr_me")).toHaveLength(2);
  expect(notShown(items, [{ ...own, senderId: "usr_x" }], "usr_me")).toHaveLength(2);
  expect(standingOf(items)).toBe("sending");
});

test("the event of a message whose answer is lost: it counts as sent, and is there once", async () => {
  const { desk, browser, first, outbox } = begin("after", "before");
  outbox.add(written("ok", first.id));
  await browser.settle();
  expect(standingOf(outbox.items.get())).toBe("unsent");
  outbox.saw(desk.messages.at(-1) as Message);
  await browser.settle();
  expect(standingOf(outbox.items.get())).toBe("");
  expect(outbox.mayLeave(false)).toBe(true);
  await browser.pass(60_000);
  expect([desk.count("ok"), outbox.items.get().length]).toEqual([1, 0]);
});

test("the event of one message removes no other with the same text, in any tab", async () => {
  const { desk, browser, first, outbox } = begin();
  const other = browser.tab();
  outbox.add(written("ok", first.id));
  desk.says({ content: "customer" });
  await browser.settle();
  const [told] = desk.messages.filter(({ content }) => content === "ok") as [Message];
  desk.faults = ["before"];
  outbox.add(written("ok", told.id));
  await browser.settle();
  for (const tab of [outbox, other.outbox]) tab.saw(told);
  expect(standingOf(other.outbox.items.get())).toBe("unsent");
  await browser.pass(60_000);
  expect(desk.count("ok")).toBe(2);
});

test("its author knew everything in the log, unless somebody else answered since the draft was started", () => {
  const desk = new Desk();
  const a = desk.says({});
  expect(seenBy("usr_me", [], undefined)).toBe("");
  expect(seenBy("usr_me", desk.messages, undefined)).toBe(a.id);
  const b = desk.says({});
  expect(seenBy("usr_me", desk.messages, a.id)).toBe(b.id);
  desk.says({ ...xenia, senderId: "usr_me" });
  const d = desk.says({ ...xenia, isPrivate: true });
  expect(seenBy("usr_me", desk.messages, a.id)).toBe(d.id);
  desk.says({ ...xenia });
  expect(seenBy("usr_me", desk.messages, a.id)).toBe(a.id);
});

test("a failed attempt means what the contract says", () => {
  const all: [number, string, string, header?: string][] = [
    [0, "x", "late"],
    [429, "x", "late"],
    [503, "x", "late"],
    [408, "x", "late"],
    [401, "x", "signedOut"],
    [409, "ifLastMessageId: must be the last message of the conversation, which has none", "overtaken", "conflict; field=ifLastMessageId"],
    [409, "ifStatus: must have the status of the conversation, which is resolved", "overtaken", "conflict; field=ifStatus"],
    [409, "Idempotency-Key: the first request with this key is still running; try again when it is answered", "late", "in_progress; field=Idempotency-Key"],
    [409, "attachmentIds: must be free", "refused", "conflict; field=attachmentIds"],
    [422, "Idempotency-Key: was used before", "delivered", "idempotency_mismatch; field=Idempotency-Key"],
    [400, "content: must be shorter", "refused", "invalid; field=content"],
    [404, "no such conversation", "refused"],
    [400, "agentUserId: must be absent or your own id", "replaced", "invalid; field=agentUserId"],
  ];
  for (const [status, text, verdict, header] of all) expect(verdictOf(new ApiError(status, text, header)), `${status} ${text}`).toBe(verdict);
  expect(verdictOf(new DOMException("late", "TimeoutError"))).toBe("late");
});

test("its author reads the reason in sentences, without field names", () => {
  const all: [number, string, RegExp, header?: string][] = [
    [404, "attachmentIds: no such file in this workspace", /^A file is no longer on the server/, "not_found; field=attachmentIds"],
    [409, "attachmentIds: must be free", /^A file is no longer on the server/, "conflict; field=attachmentIds"],
    [404, "no such conversation in this workspace", /^The conversation no longer exists/],
    [400, "attachmentIds: must be absent here: the network of the number takes text alone", /^Files cannot be sent here/, "invalid; field=attachmentIds"],
    [400, "content: must be 1 to 65536 bytes", /^It is too long/, "invalid; field=content"],
    [503, "the store cannot answer now; try again", /^The server cannot answer/],
    [401, "you are signed out", /^You are signed out/],
  ];
  for (const [status, text, said, header] of all) expect(faultText(new ApiError(status, text, header))).toMatch(said);
});
