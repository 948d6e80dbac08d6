import { expect, test } from "vitest";
import { ingestPage, openList } from "./ingest";
import { reduce } from "./reduce";
import { conversation, event, listedPage, stateAt } from "./world.fixture";

// A conversation does not name the company of its contact, and the contact may
// be unknown here. Then the server's page decides.
test("the conversations of a company are those that the server lists, in order and live", () => {
  const filter = { companyId: "acme" };
  const page = listedPage([conversation("b", 5), conversation("a", 1)]);
  const state = ingestPage(openList(stateAt(10), filter), filter, page, 10, true);
  const idsOf = (of: typeof state) => of.lists.get("companyId=acme")?.ids;
  expect(idsOf(state)).toEqual(["b", "a"]);

  const moved = reduce(state, [event(11, "conversation.updated", conversation("a", 9)), event(12, "conversation.created", conversation("c", 10))]);
  expect(idsOf(moved)).toEqual(["a", "b"]);
});
