import { expect, test } from "vitest";
import { originsFault, originsOf, tagOf } from "./widgettag";

test("the tag names the server and the inbox", () => {
  expect(tagOf("https://parley.example", "i")).toBe('<script src="https://parley.example/widget.js" data-inbox="i" async></script>');
});

test.each([
  ["", []],
  ["https://shop.example", ["https://shop.example"]],
  ["shop.example\n\n https://shop.example/cart?x=1 \nhttp://localhost:3000/", ["https://shop.example", "http://localhost:3000"]],
  ["https://a.example, https://b.example:8443", ["https://a.example", "https://b.example:8443"]],
  ["ftp://files.example", ["ftp://files.example"]],
  ["not a website", ["not a website"]],
])("websites of %j", (text, want) => expect(originsOf(text)).toEqual(want));

test("a line that is not a website is reported", () => {
  expect(originsFault("shop.example\nhttp://localhost:3000")).toBeUndefined();
  expect(originsFault("capacitor://localhost\nionic://localhost")).toBeUndefined();
  expect(originsFault("")).toBeUndefined();
  expect(originsFault("https://shop.example\nmy shop")).toContain("“my shop”");
  expect(originsFault("ftp://files.example")).toContain("ftp:");
});
