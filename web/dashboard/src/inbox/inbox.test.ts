import { expect, test } from "vitest";
import type { CannedAnswer } from "../api/types";
import { address } from "../api/client";
import { labelsOf } from "../sync/lists";
import { conversation } from "../sync/world.fixture";
import { filled, fitting, shortcutAt } from "./canned";
import { pieces } from "../../../shared/links";
import { filterOf, inboxAddress, savedFilter, viewName, viewOf } from "./views";

test("addresses are links, and nothing else is", () => {
  expect(pieces("See https://a.example/x?y=1, or mail bo@a.example.")).toEqual([
    { text: "See " },
    { text: "https://a.example/x?y=1", href: "https://a.example/x?y=1" },
    { text: ", or mail " },
    { text: "bo@a.example", href: "mailto:bo@a.example" },
    { text: "." },
  ]);
  expect(pieces("(https://a.example/wiki/X_(y))").map((piece) => piece.text)).toEqual(["(", "https://a.example/wiki/X_(y)", ")"]);
  expect(pieces("(https://a.example)").map((piece) => piece.text)).toEqual(["(", "https://a.example", ")"]);
  for (const text of ["javascript:alert(1)", "<img src=x onerror=alert(1)>", "data:text/html,x", "//a.example"]) {
    expect(pieces(text)).toEqual([{ text }]);
  }
  expect(pieces('<a href="https://a.example">').filter((piece) => piece.href)).toEqual([{ text: "https://a.example", href: "https://a.example/" }]);
});

test("a link ends before punctuation and brackets of the sentence, however many", () => {
  const trimmed = (text: string) => pieces(text).find((piece) => piece.href)?.text;
  expect(trimmed(`http://a${")".repeat(65_528)}`)).toBeUndefined(); // longer than an address can be
  expect(trimmed(`http://a${")".repeat(2_000)}`)).toBe("http://a");
  expect(trimmed("see http://a.example/x_(y).)!")).toBe("http://a.example/x_(y)");
  expect(trimmed("http://a.example/((x))))…")).toBe("http://a.example/((x))");
});

test("links are searched at the start of a long text, and none is cut", () => {
  const at = (before: number) =>
    pieces(`${"x".repeat(before)} https://a.example/long ${"y ".repeat(10_000)}`)
      .filter((piece) => piece.href)
      .map((piece) => piece.text);
  expect(at(100)).toEqual(["https://a.example/long"]);
  expect(at(19_990)).toEqual([]); // the end of the searched text is inside it
  expect(at(20_001)).toEqual([]);
  expect(pieces(`https://a.example/${"x".repeat(2_100)}`).filter((piece) => piece.href)).toEqual([]);
});

test("the pieces contain all text of a message", () => {
  for (const text of ["", "plain", "https://a.example", "a@b.cd x https://c.example/) y", "https://", "http://[bad"]) {
    expect(
      pieces(text)
        .map((piece) => piece.text)
        .join(""),
    ).toBe(text);
  }
});

test("a view is its address", () => {
  const view = { status: "open", assigneeId: "me", label: "a b&c" };
  const address = inboxAddress(view, "id");
  expect(address).toBe("/inbox/id?status=open&assigneeId=me&label=a+b%26c");
  expect(viewOf(new URLSearchParams(address.split("?")[1]))).toEqual(view);
  expect(filterOf(view, "usr_1").assigneeId).toBe("usr_1");
  expect(viewOf(new URLSearchParams("foo=1&status="))).toEqual({});
});

test("an address has every filter of the list, and a label several times", () => {
  const query =
    "status=open&assigneeId=none&inboxId=i&productId=none&teamId=t&label=a&label=b+c&contactId=c&companyId=d&spam=any&agent=handed_over&snoozed=false&woke=true&priority=none&notLabel=e&activeAfter=2026-11-20T00%3A00%3A00Z&activeBefore=2026-11-21T00%3A00%3A00Z&order=waiting";
  const view = viewOf(new URLSearchParams(query));
  expect(inboxAddress(view)).toBe(`/inbox?${query}`);
  expect(savedFilter({ query: "label=a" })).toEqual({ label: "a" });
  expect(address("/x", { ...view, label: labelsOf(view) })).toContain("&label=a&label=b+c&");
  expect(viewName({ label: "a" }, [{ name: "Mine", query: "label=a" }], String)).toBe("Mine");
});

test("a view has a name", () => {
  const name = (_: string, value: string) => value;
  expect(viewName({ status: "open" }, [], name)).toBe("All open");
  expect(viewName({ status: "open", label: "vip" }, [{ name: "Mine!", query: "?status=open&label=vip" }], name)).toBe("Mine!");
  expect(viewName({ status: "pending", label: "vip" }, [], name)).toBe("Vip · pending");
  expect(viewName({}, [], name)).toBe("All conversations");
});

test("a shortcut is found before the caret", () => {
  expect(shortcutAt("hi /than", 8)).toEqual({ start: 3, query: "than" });
  expect(shortcutAt("/", 1)).toEqual({ start: 0, query: "" });
  expect(shortcutAt("and/or", 6)).toBeNull();
  expect(shortcutAt("/a b", 4)).toBeNull();
});

const answer = (shortcut: string, content: string): CannedAnswer => ({ id: shortcut, shortcut, content, createdAt: "", updatedAt: "" });

test("canned answers that begin so come first", () => {
  const answers = [answer("welcome", "Thanks for writing"), answer("thanks", "You are welcome"), answer("bye", "x")];
  expect(fitting(answers, "thanks").map((one) => one.shortcut)).toEqual(["thanks", "welcome"]);
  expect(fitting(answers, "")).toHaveLength(3);
});

test("the placeholders of a canned answer are replaced", () => {
  const open = conversation("a", 1, { contact: { id: "c", name: "Ann Example", email: "a@b.example", phoneNumber: null, shopName: "" } });
  expect(filled("Hi {{first_name}} ({{ name }}), {{me}} {{unknown}}", open, "Bo")).toBe("Hi Ann (Ann Example), Bo {{unknown}}");
});
