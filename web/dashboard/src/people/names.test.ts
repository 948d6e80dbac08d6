import { expect, test } from "vitest";
import { contactName, websiteLink } from "./names";

test("a contact without a name is called by other details", () => {
  const nobody = { id: "1", name: "", email: "", phoneNumber: null, shopName: "" };
  expect(contactName({ ...nobody, name: "Ann" })).toBe("Ann");
  expect(contactName({ ...nobody, email: "ann@acme.example" })).toBe("ann@acme.example");
  expect(contactName({ ...nobody, phoneNumber: "+49 151" })).toBe("+49 151");
  expect(contactName({ ...nobody, identifier: "crm-1" })).toBe("crm-1");
  expect(contactName(nobody)).toBe("Unnamed contact");
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
