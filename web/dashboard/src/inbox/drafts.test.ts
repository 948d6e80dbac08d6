import { afterEach, expect, test, vi } from "vitest";
import { dropSent, giveBack, goneDraft, joined, leftOf, loadDraft, saveDraft, type Draft } from "./drafts";

afterEach(() => vi.unstubAllGlobals());

const sent = { conversationId: "c", content: "answer", isPrivate: false, attachments: [] };
const empty: Draft = { text: "", note: false, files: [] };

test("a private note stays private, whatever is put back into it", () => {
  const all: [string, Draft, boolean, boolean, string][] = [
    ["nothing is begun", empty, false, false, "answer"],
    ["nothing is begun, as a note", { ...empty, note: true }, false, false, "answer"],
    ["a note is begun", { ...empty, text: "SECRET", note: true }, false, true, "answer\n\nSECRET"],
    ["a reply is begun", { ...empty, text: "more" }, false, false, "answer\n\nmore"],
    ["a note comes back to a reply", { ...empty, text: "more" }, true, true, "answer\n\nmore"],
  ];
  for (const [name, draft, isPrivate, note, text] of all) expect(joined(draft, { ...sent, isPrivate }, "m2"), name).toEqual({ text, note, files: [], begun: "m2" });
  expect(joined({ ...empty, note: true }, sent, "m2", true).note, "a file is attached to a note").toBe(true);
});

test("a draft that the storage refuses is not returned", () => {
  let full = false;
  const kept = new Map<string, string>();
  const setItem = (key: string, value: string) => {
    if (full) throw new DOMException("full", "QuotaExceededError");
    kept.set(key, value);
  };
  vi.stubGlobal("localStorage", { getItem: (key: string) => kept.get(key) ?? null, setItem, removeItem: (key: string) => kept.delete(key) });
  expect(saveDraft("usr_a", "c", { ...empty, text: "more" })).toBe(true);
  full = true;
  expect(giveBack("usr_a", sent, "m2")).toBe(false);
  full = false;
  expect(giveBack("usr_a", sent, "m2")).toBe(true);
  expect(loadDraft("usr_a", "c").text).toBe("answer\n\nmore");
});

test("a draft that another tab has sent disappears, and text that only this tab has stays", () => {
  const kept = new Map<string, string>();
  const told: { key: string; oldValue: string | null; newValue: string | null }[] = [];
  const tell = (key: string, newValue: string | null) => {
    const oldValue = kept.get(key) ?? null;
    if (oldValue !== newValue) told.push({ key, oldValue, newValue });
    if (newValue === null) kept.delete(key);
    else kept.set(key, newValue);
  };
  vi.stubGlobal("localStorage", { getItem: (key: string) => kept.get(key) ?? null, setItem: tell, removeItem: (key: string) => tell(key, null) });
  const words = (text: string): Draft => ({ ...empty, text });
  const gone = () => told.splice(0).flatMap((event) => goneDraft("usr_a", "c", event) ?? []);
  const here = words("on its way");

  saveDraft("usr_a", "c", here);
  expect(gone()).toEqual([]);
  dropSent("usr_a", "c", here);
  const [sent] = gone();
  expect(sent && leftOf(here, sent)).toEqual(empty);
  expect(sent && leftOf(words("on its"), sent)).toEqual(empty);
  expect(sent && leftOf(words("on its way, and more"), sent).text).toBe("on its way, and more");

  // The member writes something else here, which was stored last.
  saveDraft("usr_a", "c", words("something else"));
  dropSent("usr_a", "c", here);
  const [other] = gone();
  expect(other && leftOf(words("something else"), other).text).toBe("something else");

  saveDraft("usr_a", "d", here);
  dropSent("usr_a", "d", here);
  saveDraft("usr_b", "c", here);
  dropSent("usr_b", "c", here);
  expect(gone()).toEqual([]);
});
