import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { draftFor, draftNames, loadDraft, saveDraft } from "../inbox/drafts";
import { Browser, Desk, written } from "../outbox/desk.fixture";
import { ApiError } from "../api/client";
import { asking, dropGone, mostAsked } from "./gone";

let kept: Record<string, unknown>;

beforeEach(() => {
  kept = Object.create({
    getItem: (key: string) => (kept[key] as string | undefined) ?? null,
    setItem: (key: string, value: string) => (kept[key] = value),
    removeItem: (key: string) => Reflect.deleteProperty(kept, key),
  }) as Record<string, unknown>;
  vi.stubGlobal("localStorage", kept);
});
afterEach(() => vi.unstubAllGlobals());

const draft = { text: "unsent", note: false, files: [] };

/** A tab with messages that the server does not take now. */
function waiting(...conversations: string[]) {
  const { outbox } = new Browser(new Desk()).tab({ post: () => new Promise(() => {}) });
  for (const conversationId of conversations) outbox.add(written("unsent", "", { conversationId }));
  return outbox;
}

const isSame = () => Promise.resolve(true);

test("drafts and waiting messages of what is gone are deleted, and all others stay", async () => {
  for (const name of ["gone", "here", draftFor("erased"), draftFor("known"), draftFor("")]) saveDraft("usr_a", name, draft);
  saveDraft("usr_b", "gone", draft);
  const outbox = waiting("gone", "here", "sent");
  const asked: string[] = [];
  const isGone = (kind: string, id: string) => {
    asked.push(`${kind}/${id}`);
    return Promise.resolve(["conversations/gone", "conversations/sent", "contacts/erased"].includes(`${kind}/${id}`));
  };
  await dropGone("usr_a", outbox, { isGone, isSame });
  expect(asked.toSorted()).toEqual(["contacts/erased", "contacts/known", "conversations/gone", "conversations/here", "conversations/sent"]);
  expect(draftNames("usr_a").toSorted()).toEqual(["here", "new.", "new.known"]);
  expect(outbox.items.get().map(({ conversationId }) => conversationId)).toEqual(["here"]);
  expect(loadDraft("usr_b", "gone")).toEqual(draft);
});

test("another member who signed in meanwhile loses nobody's drafts", async () => {
  saveDraft("usr_a", "here", draft);
  const outbox = waiting("here");
  await dropGone("usr_a", outbox, { isGone: () => Promise.resolve(true), isSame: () => Promise.resolve(false) });
  expect(loadDraft("usr_a", "here")).toEqual(draft);
  expect(outbox.items.get()).toHaveLength(1);
});

test("a failure about one record does not end the run", async () => {
  for (const name of ["bad", "gone"]) saveDraft("usr_a", name, draft);
  await dropGone("usr_a", waiting(), { isGone: (_, id) => (id === "bad" ? Promise.reject(new ApiError(500, "")) : Promise.resolve(true)), isSame });
  expect(draftNames("usr_a")).toEqual(["bad"]);
});

test.each([
  ["no connection", new ApiError(0, "unreachable")],
  ["the end of the session", new ApiError(401, "")],
  ["too many requests", new ApiError(429, "")],
  ["a closed page", new DOMException("", "AbortError")],
])("%s ends the run", async (_, error) => {
  for (const name of ["one", "two"]) saveDraft("usr_a", name, draft);
  const isGone = vi.fn(() => Promise.reject(error));
  await dropGone("usr_a", waiting("three"), { isGone, isSame });
  expect(isGone).toHaveBeenCalledTimes(1);
  expect(draftNames("usr_a").toSorted()).toEqual(["one", "two"]);
});

test("many drafts are asked for in parts", async () => {
  for (let n = 0; n < 3 * mostAsked; n++) saveDraft("usr_a", `c${n}`, draft);
  const asked = new Set<string>();
  await dropGone("usr_a", waiting(), { isGone: (_, id) => Promise.resolve(asked.add(id).size === 1), isSame });
  expect(asked.size).toBe(mostAsked);
  expect(draftNames("usr_a")).toHaveLength(3 * mostAsked - 1);
});

const me = { memberId: "usr_a", workspaceId: "w" };

function answering(status: number, body: unknown, header = "") {
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(JSON.stringify(body), { status, headers: header ? { "Parley-Error": header } : {} })));
  return asking(me, new AbortController().signal);
}

test("only our server's 404 says that a record is gone", async () => {
  expect(await answering(404, { error: "no such conversation in this workspace" }, "not_found").isGone("conversations", "c")).toBe(true);
  expect(await answering(200, {}).isGone("conversations", "c")).toBe(false);
  for (const header of ["", "invalid"]) await expect(answering(404, "nginx", header).isGone("contacts", "c")).rejects.toThrow(ApiError);
});

test("the same member is one of the same workspace", async () => {
  const isNow = (member: string, workspace: string) => answering(200, { member: { id: member }, workspace: { id: workspace } }).isSame();
  expect(await isNow("usr_a", "w")).toBe(true);
  expect(await isNow("usr_b", "w")).toBe(false);
  expect(await isNow("usr_a", "v")).toBe(false);
});

test("without storage nothing is asked", async () => {
  vi.stubGlobal("localStorage", undefined);
  const isGone = vi.fn(() => Promise.resolve(true));
  await dropGone("usr_a", waiting(), { isGone, isSame });
  expect(isGone).not.toHaveBeenCalled();
});
