import { expect, test } from "vitest";
import type { Team } from "../api/types";
import { ingestPage, openList } from "./ingest";
import { reduce } from "./reduce";
import type { Filter, State } from "./state";
import { conversation, event, listedPage, member, stateAt, time } from "./world.fixture";

const returns: Filter = { teamId: "t" };
const ref = { id: "t", name: "Returns" };
const team = (more: Partial<Team> = {}): Team => ({ ...ref, color: "teal", memberIds: ["usr_me"], inboxIds: [], productIds: [], createdAt: time(0), updatedAt: time(0), ...more });

/** A state at 11 with a team and its list, which has one conversation. */
function state(): State {
  const known = reduce(stateAt(10), [event(11, "team.created", team())]);
  return ingestPage(openList(known, returns), returns, listedPage([conversation("a", 1, { team: ref })]), 11, true);
}

const ids = (of: State) => of.lists.get("teamId=t")?.ids;

test("a conversation comes to the list of its team, and leaves it", () => {
  const more = reduce(state(), [event(12, "conversation.updated", conversation("b", 5, { team: ref }))]);
  expect(ids(more)).toEqual(["b", "a"]);
  expect(ids(reduce(more, [event(13, "conversation.updated", conversation("a", 6, { team: null }))]))).toEqual(["b"]);
});

test("its conversations follow its name", () => {
  const next = reduce(state(), [event(12, "team.updated", team({ name: "Send backs" }))]);
  expect(next.conversations.get("a")?.value.team).toEqual({ id: "t", name: "Send backs" });
  const late = ingestPage(next, returns, listedPage([conversation("b", 2, { team: ref })]), 11, false);
  expect(late.conversations.get("b")?.value.team).toEqual({ id: "t", name: "Send backs" });
});

test("a deleted team has no conversations, nor those of an earlier answer", () => {
  const next = reduce(state(), [event(12, "team.deleted", { id: "t" })]);
  expect(next.teams.size).toBe(0);
  expect(ids(next)).toEqual([]);
  expect(next.conversations.get("a")?.value.team).toBeNull();
  const late = ingestPage(next, returns, listedPage([conversation("b", 2, { team: ref })]), 11, false);
  expect(late.conversations.get("b")?.value.team).toBeNull();
  // That of a later one has an event to come.
  const early = ingestPage(next, returns, listedPage([conversation("c", 2, { team: { id: "new", name: "New" } })]), 14, false);
  expect(early.conversations.get("c")?.value.team?.name).toBe("New");
});

test("a removed member is in no team", () => {
  const next = reduce(state(), [event(12, "member.removed", member("usr_me", "Me"))]);
  expect(next.teams.get("t")?.value.memberIds).toEqual([]);
  expect(reduce(next, [event(13, "team.updated", team({ memberIds: ["usr_b"] }))]).teams.get("t")?.value.memberIds).toEqual(["usr_b"]);
});
