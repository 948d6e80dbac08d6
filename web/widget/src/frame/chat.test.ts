import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Chat } from "./chat";
import { fingerprint } from "./session";
import { unreadOf } from "./state";
import { World, type Asked } from "./world.fixture";

let world: World;
beforeEach(() => {
  world = new World();
  vi.spyOn(Math, "random").mockReturnValue(0);
});
afterEach(async () => {
  await world.end();
  vi.restoreAllMocks();
});

const sent = (chat: Chat) => vi.waitFor(() => expect(chat.state.pending).toEqual([]), 4000);
const refusal = (status: number, error = "no") => Response.json({ error }, { status });

test("nothing is created on the server before the first message", async () => {
  const chat = await world.open();
  expect(chat.state.phase).toBe("ready");
  expect(world.posts(/./)).toEqual([]);
  chat.outbox.send(null, "hello", []);
  await sent(chat);
  expect(world.posts(/./).map(({ path }) => path)).toEqual(["sessions", "conversations"]);
  expect(world.posts(/sessions/)[0]?.body).toEqual({ inboxId: "i", page: "https://shop.example" });
  expect(chat.state.view).toEqual({ name: "thread", id: chat.state.conversations[0]?.id });
});

test("the next page restores the visitor and the conversation", async () => {
  const chat = await world.open();
  chat.outbox.send(null, "hello", []);
  await sent(chat);
  const again = await world.open();
  await vi.waitFor(() => expect(again.state.conversations).toHaveLength(1));
  expect(world.posts(/sessions/)).toHaveLength(1);
});

test("a message whose answer was lost arrives once", async () => {
  const chat = await world.open();
  let lost = 0;
  world.before = (asked) => {
    if (asked.path !== "conversations" || asked.method !== "POST" || lost++ > 1) return undefined;
    world.rule(asked); // it took effect
    return Promise.reject(new TypeError("failed to fetch"));
  };
  chat.outbox.send(null, "hello", []);
  await sent(chat);
  const tries = world.posts(/^conversations$/);
  expect(tries).toHaveLength(3);
  expect(new Set(tries.map(({ key }) => key)).size).toBe(1);
  expect([...world.conversations.values()].map(({ messages }) => messages.length)).toEqual([1]);
});

test("messages written while the server is away are sent in order, into one conversation", async () => {
  const chat = await world.open();
  let away = true;
  world.before = ({ method }) => (away && method === "POST" ? refusal(503) : undefined);
  for (const text of ["one", "two", "three"]) chat.outbox.send(null, text, []);
  await vi.waitFor(() => expect(world.posts(/sessions/).length).toBeGreaterThan(0));
  away = false;
  await sent(chat);
  expect([...world.conversations.values()].map(({ messages }) => messages.map(({ content }) => content))).toEqual([["one", "two", "three"]]);
});

test("messages that are unsent when the visitor leaves the page are sent by the next page", async () => {
  const chat = await world.open();
  world.before = ({ method }) => (method === "POST" ? new Promise<Response>(() => undefined) : undefined);
  chat.outbox.send(null, "hello", []);
  world.before = () => undefined;
  const again = await world.open();
  await sent(again);
  expect([...world.conversations.values()].map(({ messages }) => messages[0]?.content)).toEqual(["hello"]);
});

test("a refused message says why and can be sent again", async () => {
  const chat = await world.open();
  world.before = ({ path }) => (path === "conversations" ? refusal(400, "content: too long") : undefined);
  chat.outbox.send(null, "hello", []);
  await vi.waitFor(() => expect(chat.state.pending[0]?.fault).toBe("This could not be sent."));
  world.before = () => undefined;
  chat.outbox.retry(chat.state.pending[0]?.key ?? "");
  await sent(chat);
});

test("a visitor who is identified keeps the conversations", async () => {
  const chat = await world.open();
  chat.outbox.send(null, "hello", []);
  await sent(chat);
  const visitor = [...world.sessions.keys()][0];
  await chat.customers.identify("mara");
  expect(world.posts(/sessions/).at(-1)?.body).toMatchObject({ identity: "mara", visitor });
  await vi.waitFor(() => expect(chat.state.conversations).toHaveLength(1));
  expect(chat.state.customer?.identified).toBe(true);
  expect(world.told).toContainEqual({ type: "identity", state: "accepted" });
  expect(world.sessions.size).toBe(1);
});

test("a session of an identified customer is reused only for the same identity", async () => {
  const chat = await world.open("mara");
  chat.outbox.send(null, "of mara", []);
  await sent(chat);
  await world.open("mara");
  expect(world.posts(/sessions/)).toHaveLength(1);
  const nobody = await world.open();
  expect(nobody.state.conversations).toEqual([]);
  const jonas = await world.open("jonas");
  expect(jonas.state.conversations).toEqual([]);
  expect(world.posts(/sessions/)).toHaveLength(2);
});

test("identifying the same customer again changes nothing", async () => {
  const chat = await world.open("mara");
  const streams = world.asked.filter(({ path }) => path.startsWith("events")).length;
  await chat.customers.identify("mara");
  expect(world.asked.filter(({ path }) => path.startsWith("events"))).toHaveLength(streams);
});

test("of two identities that come at once the later one wins", async () => {
  const chat = await world.open();
  await Promise.all([chat.customers.identify("mara"), chat.customers.identify("jonas")]);
  expect(chat.state.customer?.id).toBe("contact of jonas");
});

test("a refused identity is explained, and the customer is a visitor", async () => {
  const chat = await world.open("refused");
  expect(world.problems()[0]).toMatch(/the identity was not accepted.*three parts.*Settings, Identity/);
  expect(chat.state).toMatchObject({ phase: "ready", customer: null });
  expect(world.told).toContainEqual({ type: "identity", state: "refused" });
});

test("a refused identity closes what another customer had open", async () => {
  const chat = await world.open("mara");
  chat.outbox.send(null, "of mara", []);
  await sent(chat);
  await chat.customers.identify("refused");
  expect(chat.state).toMatchObject({ customer: null, conversations: [], threads: {} });
});

test("without an identity nobody can write if one is required", async () => {
  world.config = { ...world.config, identity: "required" };
  const chat = await world.open();
  expect(chat.state.phase).toBe("closed");
  expect(world.told).toContainEqual(expect.objectContaining({ type: "look", shown: false }));
  await chat.customers.identify("mara");
  expect(chat.state.phase).toBe("ready");
});

test("an inbox without identities reports that it ignored one", async () => {
  world.config = { ...world.config, identity: "off" };
  const chat = await world.open("mara");
  expect(world.problems()[0]).toContain("ignored");
  expect(chat.state).toMatchObject({ phase: "ready", customer: null });
});

test("signing out ends the session and leaves nothing to the next person", async () => {
  const chat = await world.open("mara");
  chat.outbox.send(null, "of mara", []);
  await sent(chat);
  chat.drafts.keep(null, "a draft");
  await chat.customers.logout();
  expect(world.sessions.size).toBe(0);
  expect(chat.state).toMatchObject({ customer: null, conversations: [], threads: {}, pending: [] });
  expect(chat.drafts.of(null)).toBe("");
  expect((await world.open()).state.customer).toBeNull();
});

test("an answer that arrives after signing out is dropped", async () => {
  const chat = await world.open("mara");
  let answer: () => void = () => undefined;
  world.before = (asked: Asked) => {
    if (asked.path !== "conversations" || asked.method !== "POST") return undefined;
    const response = world.rule(asked);
    return new Promise((resolve) => (answer = () => resolve(response)));
  };
  chat.outbox.send(null, "of mara", []);
  await vi.waitFor(() => expect(world.posts(/^conversations$/)).toHaveLength(1));
  world.before = () => undefined;
  const out = chat.customers.logout();
  answer();
  await out;
  await new Promise((resolve) => setTimeout(resolve));
  expect(chat.state).toMatchObject({ conversations: [], threads: {}, pending: [] });
});

test("after a session ended, a visitor's message starts a new conversation", async () => {
  const chat = await world.open();
  chat.outbox.send(null, "one", []);
  await sent(chat);
  world.sessions.clear();
  chat.outbox.send(chat.state.conversations[0]?.id ?? null, "two", []);
  await sent(chat);
  expect([...world.conversations.values()].map(({ messages }) => messages.map(({ content }) => content))).toEqual([["one"], ["two"]]);
});

test("after a session ended, an identified customer is never treated as a visitor", async () => {
  const chat = await world.open("mara");
  chat.outbox.send(null, "one", []);
  await sent(chat);
  world.sessions.clear();
  chat.outbox.send(chat.state.conversations[0]?.id ?? null, "two", []);
  await sent(chat);
  expect([...world.conversations.values()].map(({ owner, messages }) => [owner, messages.map(({ content }) => content)])).toEqual([["contact of mara", ["one", "two"]]]);
  expect(world.posts(/sessions/).every(({ body }) => body["identity"] === "mara")).toBe(true);
});

test("a reply of the team is shown, is unread while the chat is closed, and read when it opens", async () => {
  const chat = await world.open("mara");
  chat.outbox.send(null, "hello", []);
  await sent(chat);
  await vi.waitFor(() => expect(chat.state.line).toBe("live"));
  chat.heard({ type: "open", open: false, focus: false });
  const id = chat.state.conversations[0]?.id ?? "";
  world.answer(id, "an answer");
  await vi.waitFor(() => expect(unreadOf(chat.state)).toBe(1));
  expect(world.told).toContainEqual({ type: "unread", count: 1, text: "1 unread" });
  chat.heard({ type: "open", open: true, focus: true });
  await vi.waitFor(() => expect(unreadOf(chat.state)).toBe(0));
  expect(world.posts(/read$/)).toHaveLength(1);
  expect(chat.state.threads[id]?.messages.map(({ content }) => content)).toEqual(["hello", "an answer"]);
});

test("the fingerprint of an identity depends on the customer, not on the times", () => {
  const token = (claims: object) => `e30.${btoa(JSON.stringify(claims))}.sig`;
  expect(fingerprint(token({ sub: "1", iat: 1, exp: 2, nbf: 3, jti: "a" }))).toBe(fingerprint(token({ sub: "1", iat: 5, exp: 9 })));
  expect(fingerprint(token({ sub: "1" }))).not.toBe(fingerprint(token({ sub: "2" })));
  expect(fingerprint(token({ sub: "1", organization: "a" }))).not.toBe(fingerprint(token({ sub: "1", organization: "b" })));
});

test("a reply that arrives while the previous one is marked as read is not lost", async () => {
  const chat = await world.open("mara");
  chat.outbox.send(null, "hello", []);
  await sent(chat);
  await vi.waitFor(() => expect(chat.state.line).toBe("live"));
  const id = chat.state.conversations[0]?.id ?? "";
  let answer: () => void = () => undefined;
  world.before = (asked) => {
    if (!asked.path.endsWith("read")) return undefined;
    world.before = () => undefined;
    const response = world.rule(asked);
    return new Promise((resolve) => (answer = () => resolve(response)));
  };
  world.answer(id, "one");
  await vi.waitFor(() => expect(world.posts(/read$/)).toHaveLength(1));
  world.answer(id, "two");
  await vi.waitFor(() => expect(chat.state.threads[id]?.messages).toHaveLength(3));
  answer();
  await vi.waitFor(() => expect(world.posts(/read$/)).toHaveLength(2));
  expect(chat.state.threads[id]?.messages.map(({ content }) => content)).toEqual(["hello", "one", "two"]);
});

test("a visitor who was identified before and is again keeps what was written in between", async () => {
  const chat = await world.open("mara");
  chat.outbox.send(null, "of mara", []);
  await sent(chat);
  const between = await world.open(); // the shop no longer identifies the customer
  between.outbox.send(null, "of a visitor", []);
  await sent(between);
  const again = await world.open("mara");
  await vi.waitFor(() => expect(again.state.conversations).toHaveLength(2));
  expect([...world.conversations.values()].map(({ owner }) => owner)).toEqual(["contact of mara", "contact of mara"]);
  // From now on the session is reused.
  const exchanges = world.posts(/sessions/).length;
  await world.open("mara");
  expect(world.posts(/sessions/)).toHaveLength(exchanges);
});

test("a page of another website gets neither the visitor nor the unsent messages", async () => {
  const chat = await world.open();
  chat.outbox.send(null, "of a visitor", []);
  await sent(chat);
  chat.drafts.keep(null, "a secret");
  world.before = ({ method }) => (method === "POST" ? new Promise<Response>(() => undefined) : undefined);
  chat.outbox.send(chat.state.conversations[0]?.id ?? null, "waits", []);
  world.before = () => undefined;
  const evil = await world.open("eve", "https://evil.example");
  expect(world.posts(/sessions/).at(-1)?.body).toEqual({ inboxId: "i", identity: "eve", page: "https://evil.example" });
  await vi.waitFor(() => expect(evil.state.loaded).toBe(true));
  expect(evil.state).toMatchObject({ conversations: [], pending: [] });
  expect(evil.drafts.of(null)).toBe("");
  expect([...world.conversations.values()].map(({ owner }) => owner)).not.toContain("contact of eve");
  const back = await world.open();
  await sent(back);
  await vi.waitFor(() => expect(back.state.conversations).toHaveLength(1));
  const id = back.state.conversations[0]?.id ?? "";
  await vi.waitFor(() => expect(back.state.threads[id]?.messages.map(({ content }) => content)).toEqual(["of a visitor", "waits"]));
  await vi.waitFor(() => expect(back.state.line).toBe("live"));
  await back.conversations.refresh();
});

test("an expired identity is sent to the server although its session is stored", async () => {
  const token = (exp: number) => `e30.${btoa(JSON.stringify({ sub: "1", exp }))}.sig`;
  const now = Math.floor(Date.now() / 1000);
  await world.open(token(now + 3600));
  await world.open(token(now + 7200));
  expect(world.posts(/sessions/)).toHaveLength(1);
  await world.open(token(now - 10));
  expect(world.posts(/sessions/)).toHaveLength(2);
});

test("what is read in another window is not unread here", async () => {
  const here = await world.open("mara");
  here.outbox.send(null, "hello", []);
  await sent(here);
  await vi.waitFor(() => expect(here.state.line).toBe("live"));
  here.heard({ type: "open", open: false, focus: false });
  const id = here.state.conversations[0]?.id ?? "";
  world.answer(id, "an answer");
  await vi.waitFor(() => expect(unreadOf(here.state)).toBe(1));
  world.readElsewhere(id);
  await vi.waitFor(() => expect(unreadOf(here.state)).toBe(0));
  expect(world.posts(/read$/)).toHaveLength(0);
});
