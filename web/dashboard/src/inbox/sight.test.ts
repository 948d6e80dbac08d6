import { expect, test } from "vitest";
import type { Conversation, Member, Team } from "../api/types";
import { seesIt } from "./sight";

const ann = { id: "ann", access: "own", inboxIds: ["mine"] } as unknown as Member;
const teams = [
  { id: "shop", memberIds: ["ann"] },
  { id: "other", memberIds: ["bo"] },
] as unknown as Team[];
const at = (inbox: string, team: string | null, assignee: string | null) => ({ inbox: { id: inbox }, team: team && { id: team }, assignee: assignee && { id: assignee } }) as unknown as Conversation;

test("an inbox, a team or an assignment shows a conversation to a member", () => {
  expect(seesIt(ann, teams, at("mine", null, null))).toBe(true);
  expect(seesIt(ann, teams, at("x", "shop", null))).toBe(true);
  expect(seesIt(ann, teams, at("x", "other", "ann"))).toBe(true);
});

test("others are hidden, unless the member sees everything", () => {
  expect(seesIt(ann, teams, at("x", "other", "bo"))).toBe(false);
  expect(seesIt(ann, teams, at("x", null, null))).toBe(false);
  expect(seesIt({ ...ann, access: "all" }, teams, at("x", null, null))).toBe(true);
});
