import { expect, test } from "vitest";
import type { Contact } from "../api/types";
import { mergedFields } from "./mergedfields";

const empty: Contact = {
  id: "",
  name: "",
  email: "",
  phoneNumber: null,
  shopName: "",
  avatarUrl: null,
  identifier: "",
  company: null,
  companyId: null,
  customAttributes: {},
  createdAt: "",
  updatedAt: "",
  lastActivityAt: "",
};

test("a merge keeps the survivor's values and fills in missing ones", () => {
  const from = { ...empty, name: "Ann E.", email: "ann@acme.example", phoneNumber: "+49 151", customAttributes: { plan: "free", seats: 5 } };
  const into = { ...empty, name: "Ann Example", email: "ann@acme.example", company: { id: "c", name: "Acme" }, customAttributes: { plan: "pro" } };
  expect(mergedFields(from, into)).toEqual([
    { name: "Name", kept: "Ann Example", filled: false, lost: "Ann E." },
    { name: "E-mail", kept: "ann@acme.example", filled: false, lost: "" },
    { name: "Phone", kept: "+49 151", filled: true, lost: "" },
    { name: "Company", kept: "Acme", filled: false, lost: "" },
    { name: "plan", kept: "pro", filled: false, lost: "free" },
    { name: "seats", kept: "5", filled: true, lost: "" },
  ]);
});
