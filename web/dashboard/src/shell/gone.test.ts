import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { draftFor, draftNames, loadDraft, saveDraft } from "../inbox/drafts";
import { Browser, Desk, written } from "../outbox/desk.fixture";
import { dropGone } from "./gone";

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

test("drafts and waiting messages of what is gone are deleted, and all others stay", async () => {
  for (const name of ["gone", "here", draftFor("erased"), draftFor("known"), draftFor("")]) saveDraft("usr_a", name, draft);
  saveDraft("usr_b", "gone", draft);
  const outbox = waiting("gone", "here", "sent");
  const asked: string[] = [];
  await dropGone("usr_a", outbox, (kind, id) => {
    asked.push(`${kind}/${id}`);
    return Promise.resolve(["conversations/gone", "conversations/sent", "contacts/erased"].includes(`${kind}/${id}`));
  });
  expect(asked.toSorted()).toEqual(["contacts/erased", "contacts/known", "conversations/gone", "conversations/here", "conversations/sent"]);
  expect(draftNames("usr_a").toSorted()).toEqual(["here", "new.", "new.known"]);
  expect(outbox.items.get().map(({ conversationId }) => conversationId)).toEqual(["here"]);
  expect(loadDraft("usr_b", "gone")).toEqual(draft);
});

test("a server that does not answer deletes nothing", async () => {
  saveDraft("usr_a", "here", draft);
  const outbox = waiting("here");
  await expect(dropGone("usr_a", outbox, () => Promise.reject(new Error("unreachable")))).rejects.toThrow("unreachable");
  expect(loadDraft("usr_a", "here")).toEqual(draft);
  expect(outbox.items.get()).toHaveLength(1);
});

test("without storage nothing is asked", async () => {
  vi.stubGlobal("localStorage", undefined);
  const isGone = vi.fn(() => Promise.resolve(true));
  await dropGone("usr_a", waiting(), isGone);
  expect(isGone).not.toHaveBeenCalled();
});
