import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "../api/client";
import type { ArticleText, Content } from "../api/knowledge";
import type { StoredText } from "./drafts";
import { empty, longest, pause, TextSession, type Way } from "./session";

/** A server with one text, and the storage of one browser. */
class Desk {
  version = 3;
  content: Content = { ...empty, title: "Returns", body: "30 days" };
  author = "usr_me";
  saves: Content[] = [];
  faults: (Error | undefined)[] = [];
  kept: StoredText | null = null;
  aside: StoredText[] = [];

  text = (): ArticleText => ({
    ...this.content,
    keywords: [...this.content.keywords],
    articleId: "a",
    language: "en",
    version: this.version,
    publishedVersion: null,
    updatedAt: "",
    publishedAt: null,
  });

  write(content: Partial<Content>, author: string) {
    this.content = { ...this.content, ...content };
    this.author = author;
    this.version++;
  }

  way: Way = {
    load: async () => {
      this.fail();
      return this.text();
    },
    newest: async () => {
      this.fail();
      return { ...this.text(), author: { type: "member", id: this.author, name: this.author === "usr_me" ? "Me" : "Bo" }, createdAt: "" };
    },
    save: async (version, content) => {
      this.fail();
      if (version !== this.version) throw new ApiError(409, `version: must be ${this.version}, the current version of the text`, "conflict; field=version");
      this.saves.push(content);
      this.write(content, "usr_me");
      return this.text();
    },
    stored: () => this.kept,
    store: (text) => (this.kept = text),
    putAside: (text) => this.aside.push(text),
  };

  private fail() {
    const fault = this.faults.shift();
    if (fault) throw fault;
  }
}

const away = new ApiError(0, "unreachable");
let desk: Desk;
let session: TextSession;
const now = () => session.text.get();

async function open() {
  session = new TextSession(desk.way, "usr_me");
  await session.open();
}
const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms);

beforeEach(async () => {
  vi.useFakeTimers();
  desk = new Desk();
  await open();
});
afterEach(() => {
  vi.useRealTimers();
});

test("a text is saved after a pause, and soon enough while somebody writes on", async () => {
  session.change({ body: "30 days." });
  expect(now()).toMatchObject({ unsaved: true, version: 3 });
  await wait(pause);
  expect(desk.saves.map(({ body }) => body)).toEqual(["30 days."]);
  expect(now()).toMatchObject({ unsaved: false, saving: false, version: 4 });
  expect(desk.kept).toBeNull();
  for (let n = 0; n * 500 < longest + 1000; n++) {
    session.change({ body: `writing ${n}` });
    await wait(500);
  }
  expect(desk.saves).toHaveLength(2);
  await wait(pause);
  expect(desk.content.body).toBe(now().content.body);
});

test("what was undone before it was saved is not saved", async () => {
  session.change({ body: "30 days." });
  await wait(300);
  expect(desk.kept?.content.body).toBe("30 days.");
  session.change({ body: "30 days" });
  await wait(10_000);
  expect(desk.saves).toEqual([]);
  expect(desk.kept).toBeNull();
});

test("without a network it is retried, and survives a reload", async () => {
  desk.faults = Array.from({ length: 50 }, () => away);
  session.change({ body: "from the train" });
  await wait(20_000);
  expect(now()).toMatchObject({ unsaved: true, error: away });
  session.end();
  await wait(1000);
  await open();
  expect(now()).toMatchObject({ phase: "ready", unsaved: true, content: { body: "from the train" } });
  desk.faults = [];
  await wait(60_000);
  expect(desk.content.body).toBe("from the train");
  expect(desk.kept).toBeNull();
});

test("a refused text is not sent again before it changes", async () => {
  desk.faults = [new ApiError(400, "title: must be 1 to 200 characters", "invalid; field=title")];
  session.change({ title: "" });
  await wait(60_000);
  expect(now().unsaved).toBe(true);
  session.change({ title: "Refunds" });
  await wait(pause);
  expect(desk.content.title).toBe("Refunds");
});

test("what somebody else saves shows here, unless something here is unsaved", async () => {
  desk.write({ body: "14 days" }, "usr_bo");
  session.told(desk.version);
  await wait(0);
  expect(now()).toMatchObject({ version: 4, unsaved: false, content: { body: "14 days" } });
  session.change({ body: "14 days or more" });
  desk.write({ body: "60 days" }, "usr_bo");
  await wait(pause);
  expect(now()).toMatchObject({ version: 4, unsaved: true, content: { body: "14 days or more" }, theirs: { version: 5, by: "Bo", own: false, content: { body: "60 days" } } });
  await wait(60_000);
  expect(desk.content.body).toBe("60 days");
});

test("of two texts either can go on, and nothing is lost", async () => {
  const differ = async () => {
    desk.write({ body: "60 days" }, "usr_bo");
    session.change({ body: "mine" });
    await wait(pause);
    expect(now().theirs?.content.body).toBe("60 days");
  };
  await differ();
  session.takeTheirs();
  expect(now()).toMatchObject({ unsaved: false, theirs: null, content: { body: "60 days" } });
  expect(desk.aside.map(({ content }) => content.body)).toEqual(["mine"]);
  await differ();
  session.change({ body: "mine, longer" });
  session.keepMine();
  await wait(0);
  expect(desk.content.body).toBe("mine, longer");
  expect(now()).toMatchObject({ unsaved: false, theirs: null });
  expect(desk.aside).toHaveLength(1);
  desk.write({ body: "written in another tab" }, "usr_me");
  session.change({ body: "mine again" });
  await wait(pause);
  session.keepMine();
  expect(desk.aside.map(({ content }) => content.body)).toEqual(["mine", "written in another tab"]);
});

test("a stored text whose version is no longer the newest meets that one", async () => {
  desk.kept = { version: 2, content: { ...desk.content, body: "an old draft" }, at: 0 };
  await open();
  await wait(0);
  expect(now()).toMatchObject({ unsaved: true, content: { body: "an old draft" }, theirs: { version: 3, own: true } });
});

test("an event of the own save, before or after its answer, is no news", async () => {
  session.change({ body: "x" });
  const save = desk.way.save;
  desk.way.save = async (version, content) => {
    const text = await save(version, content);
    session.told(text.version);
    return text;
  };
  await wait(pause);
  session.told(desk.version);
  await wait(1000);
  expect(now()).toMatchObject({ theirs: null, unsaved: false, version: 4 });
});

test("nothing is saved while a picture is uploaded", async () => {
  const end = session.holdSaving();
  session.change({ body: "![Uploading…]()" });
  await wait(60_000);
  expect(desk.saves).toEqual([]);
  session.change({ body: "![a](/help/pictures/1)" });
  end();
  await wait(pause);
  expect(desk.saves).toHaveLength(1);
});

test("the unsaved text of a deleted article is kept", async () => {
  desk.faults = [new ApiError(404, "no such article in this workspace", "not_found")];
  session.change({ body: "still needed" });
  await wait(pause);
  expect(now()).toMatchObject({ phase: "missing", content: { body: "still needed" } });
  expect(desk.kept?.content.body).toBe("still needed");
});
