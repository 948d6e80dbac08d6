import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { tagOf, worthAsking } from "./library";
import { insideOf } from "./inside";
import { World } from "./world.fixture";

let world: World;
beforeEach(() => {
  world = new World();
  world.config = { ...world.config, articles: true };
});
afterEach(() => world.end());

const article = { id: "a", slug: "return-a-parcel", language: "en", title: "Return a parcel", description: "" };
const paths = () => world.asked.map(({ method, path }) => `${method} ${path}`).filter((path) => /article|suggest/.test(path));

test("a chat with articles begins with them, and one with something written with that", async () => {
  const chat = await world.open();
  expect(chat.state.view).toEqual({ name: "home" });
  chat.library.open("return-a-parcel", "de", "h-times");
  const read = { name: "article", slug: "return-a-parcel", language: "de", part: "h-times", from: { name: "home" } };
  expect(chat.state.view).toEqual(read);
  expect((await world.open()).state.view).toEqual(read); // another page of the shop
  chat.library.back();
  expect(chat.state.view).toEqual({ name: "home" });
  chat.drafts.keep(null, "Where is");
  expect((await world.open()).state.view).toEqual({ name: "thread", id: null });
  chat.drafts.keep(null, "");
  chat.outbox.send(null, "hello", []);
  await vi.waitFor(() => expect(chat.state.pending).toEqual([]));
  expect(world.posts(/^conversations$/)).toHaveLength(1);
});

test("questions need no session and are asked in the chat's language; what fails suggests nothing", async () => {
  vi.stubGlobal("navigator", { onLine: true, languages: ["de-Latn-AT"] });
  const chat = await world.open();
  let fails = false;
  world.before = ({ path }) => (!/article|suggest/.test(path) ? undefined : fails ? new Response("", { status: 503 }) : Response.json({ data: [article] }));
  expect(await chat.library.popular()).toEqual([article]);
  expect(await chat.library.popular()).toEqual([article]);
  expect(await chat.library.search("a & b")).toEqual([article]);
  expect(await chat.library.suggest("hi there")).toEqual([]);
  expect(await chat.library.suggest("😀".repeat(600))).toEqual([article]);
  await chat.library.read("return-a-parcel", "en");
  chat.library.rate(article, true);
  expect(paths()).toEqual([
    "GET inboxes/i/articles?language=de-AT",
    "GET inboxes/i/articles/search?q=a%20%26%20b&language=de-AT",
    "POST inboxes/i/suggestions",
    "GET inboxes/i/articles/return-a-parcel?language=en",
    "POST inboxes/i/articles/return-a-parcel/feedback",
  ]);
  expect(world.posts(/suggestions/)[0]?.body).toEqual({ text: "😀".repeat(500), language: "de-AT" });
  expect(world.asked.every(({ token }) => token === "")).toBe(true);
  fails = true;
  expect(await chat.library.suggest("where is my parcel")).toEqual([]);
  await expect(chat.library.search("x")).rejects.toThrow();
  expect(world.posts(/sessions/)).toEqual([]);
});

test("texts that are worth a question, languages, and links inside", () => {
  expect(["", "hi", "my order", "refund", "where is it"].map(worthAsking)).toEqual([false, false, false, true, true]);
  expect(["en", "pt-br", "zh-Hant-TW", "x", "i-klingon", ""].map(tagOf)).toEqual(["en", "pt-br", "zh-TW", "", "", ""]);
  const inside = (href: string) => insideOf({ getAttribute: () => href });
  expect(inside("?article=refunds#h-paypal")).toEqual({ slug: "refunds", part: "h-paypal" });
  expect(inside("/help/shop/pt-BR/refunds")).toEqual({ slug: "refunds", part: "" });
  expect(inside("#h-times")).toEqual({ slug: "", part: "h-times" });
  for (const href of ["/help/shop/en", "/help/shop/en/search", "/help/pictures/0193480f", "https://x.example/?article=refunds", "?article=../x", "mailto:a@x.example"]) {
    expect(inside(href), href).toBeNull();
  }
});
