import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { aliasOf } from "../../../shared/alias";
import { contactName, websiteLink } from "./names";

test("a contact without a name is called by other details", () => {
  const nobody = { id: "1", name: "", email: "", phoneNumber: null, shopName: "" };
  expect(contactName({ ...nobody, name: "Ann" })).toBe("Ann");
  expect(contactName({ ...nobody, email: "ann@acme.example" })).toBe("ann@acme.example");
  expect(contactName({ ...nobody, phoneNumber: "+49 151" })).toBe("+49 151");
  expect(contactName({ ...nobody, identifier: "crm-1" })).toBe("crm-1");
  expect(contactName(nobody)).toBe("Unnamed contact");
});

test("a visitor without any detail has the alias that the server gives", () => {
  const rows = JSON.parse(readFileSync(new URL("../../../shared/alias.golden.json", import.meta.url), "utf8")) as { ID: string; Name: string; Color: string }[];
  for (const { ID, Name, Color } of rows) {
    expect(aliasOf(ID)).toEqual({ name: Name, color: Color });
    const visitor = { id: ID, name: "Visitor", email: "", phoneNumber: null, shopName: "" };
    expect(contactName(visitor)).toBe(Name);
    expect(contactName({ ...visitor, email: "ann@acme.example" })).toBe("ann@acme.example");
  }
  expect(rows.length).toBeGreaterThan(20);
});

test.each([
  ["acme.example", "https://acme.example/"],
  ["http://acme.example/a", "http://acme.example/a"],
  ["javascript:alert(1)", null],
  ["data:text/html,x", null],
  ["not a website", null],
])("the website %j leads to %j", (website, link) => {
  expect(websiteLink(website)).toBe(link);
});
