import { expect, test } from "vitest";
import { doneSteps, givenName, hostOf, nextStep, type Facts } from "./steps";

const fresh: Facts = { workspace: "My company", me: { name: "owner", email: "owner@parley.example" }, members: 1, invitations: 0, inbox: undefined, views: [], conversations: 0 };
const at = "2026-11-20T08:15:30.123Z";

test("nothing is done in a new workspace", () => {
  expect([...doneSteps(fresh)]).toEqual([]);
  expect(nextStep(doneSteps(fresh), new Set())).toBe("names");
});

test("each step is done by its record", () => {
  expect([...doneSteps({ ...fresh, workspace: "Acme" })]).toEqual([]);
  expect([...doneSteps({ ...fresh, workspace: "Acme", me: { name: "Ann", email: "ann@acme.example" } })]).toEqual(["names"]);
  expect([...doneSteps({ ...fresh, workspace: "Acme", me: { name: "ann", email: "ann@acme.example" } })]).toEqual([]);
  const view = { inboxId: "i1", origin: null, firstAt: at };
  expect([...doneSteps({ ...fresh, inbox: { id: "i1" }, views: [view] })]).toEqual(["site"]);
  expect([...doneSteps({ ...fresh, inbox: { id: "i2" }, views: [view] })]).toEqual([]);
  expect([...doneSteps({ ...fresh, conversations: 1 })]).toEqual(["message"]);
  expect([...doneSteps({ ...fresh, members: 2 })]).toEqual(["invite"]);
  expect([...doneSteps({ ...fresh, invitations: 1 })]).toEqual(["invite"]);
});

test("the first step that is neither done nor skipped comes next", () => {
  expect(nextStep(new Set(["names"]), new Set(["site"]))).toBe("message");
  expect(nextStep(new Set(["names"]), new Set(["site"]), "message")).toBe("invite");
  expect(nextStep(new Set(["names", "site"]), new Set(["message", "invite"]))).toBeNull();
});

test("names are shortened as people write them", () => {
  expect(givenName("ann@acme.example")).toBe("ann");
  expect(givenName("")).toBe("");
  expect(hostOf("https://acme.example:8443")).toBe("acme.example:8443");
});
