import { expect, test } from "vitest";
import { entrySubject, entryText, periodOf } from "./auditentry";

test("a change says its values where the log has them", () => {
  expect(entryText({ field: "role", from: "agent", to: "admin" })).toBe("role: Agent → Admin");
  expect(entryText({ field: "reason", from: null, to: "bad_password" })).toBe("reason: wrong password");
  expect(entryText({ field: "greeting", from: null, to: null })).toBe("greeting");
});

test("a subject has its name, or its id, or nothing once it is deleted", () => {
  expect(entrySubject({ action: "member.updated", subject: { type: "member", id: "usr_1", name: "Bo" } })).toBe("Member Bo");
  expect(entrySubject({ action: "contact.erased", subject: { type: "contact", id: "0193", name: "" } })).toBe("Contact 0193");
  expect(entrySubject({ action: "team.deleted", subject: { type: "team", id: "0193", name: "" } })).toBe("Team");
  expect(entrySubject({ action: "audit.exported", subject: null })).toBe("");
});

test("a period has whole days of the browser", () => {
  const { from, to } = periodOf("2026-11-20", "2026-11-20");
  expect(new Date(from).getHours()).toBe(0);
  expect(new Date(to).getTime() - new Date(from).getTime()).toBe(24 * 3600 * 1000);
  expect(periodOf("", "x")).toEqual({ from: "", to: "" });
});
